"""What tests share: small models, files, oracles of one area, a browser. `oracles` and `twins` judge whole engines."""
