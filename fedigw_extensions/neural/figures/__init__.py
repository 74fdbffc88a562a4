"""The paper's figures 2 and 3, repeated: what is run, the record of what came out, and how it is judged."""
