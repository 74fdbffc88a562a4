"""Extensions of the core, one folder a topic: parts, theorems, claims, page and tests. Nothing imports them."""
