"""Extensions of the core packages, which do not import them. Each topic is one folder with its policies, protocols,
theorems, claims, page and tests."""
