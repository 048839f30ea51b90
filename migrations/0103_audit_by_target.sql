-- Who changed one thing last: asked by each screen of the settings.
CREATE INDEX audit_log_by_target ON audit_log (target_type, target_id, at, id, action, actor_type, actor_id, site_id)
  WHERE target_id IS NOT NULL;
