"""Circles (亲友圈) over REST. Rights are decided by `app.storage.archive.circles.rights` only."""
