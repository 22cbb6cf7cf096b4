-- A user signs in by one identity of the company's provider: the first that did. Another with the same email is refused.

delete from person_credential later using person_credential first
where later.provider_id = 'oidc' and first.provider_id = 'oidc' and later.person_id = first.person_id
  and (later.created_at, later.id) > (first.created_at, first.id);

create unique index person_credential_one_oidc on person_credential (person_id) where provider_id = 'oidc';
