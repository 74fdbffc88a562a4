"""Differential privacy: noise, the privacy that a call spends, and its sum over a run. Neighbouring data differ in
one sample.
"""
