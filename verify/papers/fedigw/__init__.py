"""Check the paper "Harnessing the Power of Federated Learning in Federated Contextual Bandits" (Shi, Zhou, Yang,
Shen, TMLR 2024)."""
