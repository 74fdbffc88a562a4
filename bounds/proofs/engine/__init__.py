"""How a step is checked: rules, chains, links, the solver."""
