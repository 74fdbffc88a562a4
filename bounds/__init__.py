"""The mathematics: symbols, schedules, excess risks, regret and communication bounds, proofs."""
