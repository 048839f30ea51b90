// The S3 client.

export { S3Client } from 'bun';
