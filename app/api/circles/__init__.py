"""Circles (亲友圈) over REST. Who may do what is asked of `app.storage.archive.circles.rights`, never decided here."""
