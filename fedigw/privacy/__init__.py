"""Differential privacy: noise, the privacy that a call of a protocol spends, and the privacy that a whole run of FedIGW
spends. Neighbouring data differ in one sample.
"""
