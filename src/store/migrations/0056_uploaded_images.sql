-- What an uploaded picture is, and how far its thumbnail has come: domain/markdown/render-context.ts, UploadedImage.
alter table attachments add column image jsonb;
