"""Where an agent's features come from: finite contexts, the sphere."""
