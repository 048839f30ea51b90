// The part of @20minutes/s3rver that tests use; it brings no types.

declare module '@20minutes/s3rver' {
  // biome-ignore lint/style/noDefaultExport: it is how the package exports it
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
