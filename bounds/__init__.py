"""Formulas: symbols, schedules, excess risks, regret and communication bounds. Nothing is simulated here."""
