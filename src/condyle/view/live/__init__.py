"""The live viewer: server, panels, handles."""
