"""The shell: window, menus, palette, side panel, status bar, messages, settings, and the pump."""
