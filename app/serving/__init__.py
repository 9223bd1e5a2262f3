"""The parts that run a server in production: uvicorn with our socket class, supervisor, front, migration."""
