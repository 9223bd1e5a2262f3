"""Puts the operators' routes on an app. The composition root calls `include`; errors are answered as all of REST's."""

from __future__ import annotations

from fastapi import FastAPI

from app.admin import alerts, moderation, signals, staff, tables, words
from app.admin.services import AdminServices

PREFIX = "/v1/admin"


def include(app: FastAPI, services: AdminServices) -> None:
    """Give the app the operators' routes under `/v1/admin`."""
    app.state.admin_services = services
    for router in (staff.router, tables.router, moderation.router, alerts.router, signals.router, words.router):
        app.include_router(router, prefix=PREFIX, generate_unique_id_function=lambda route: f"operators_{route.name}")
