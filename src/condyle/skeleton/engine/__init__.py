"""What drives the compiled steps of a skeleton: tables, loads, batches, loops."""
