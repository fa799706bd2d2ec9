"""Set-valued data: suppression of items until no attacker infers what a person calls sensitive."""
