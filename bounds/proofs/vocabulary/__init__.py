"""What the symbols of the proofs mean, and the steps that several proofs share."""
