"""Pictures of skeletons and of what their motion kept."""
