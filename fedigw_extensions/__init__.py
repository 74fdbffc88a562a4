"""Extensions of the core, one folder for each topic with its parts, theorems, claims, page and tests. The core does
not import them."""
