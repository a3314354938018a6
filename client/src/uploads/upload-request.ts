/** What the ways to upload a file share: the upload, and what it gives. */

/** One upload. */
export interface Upload {
  address: string
  file: Blob
  name: string
  headers: Record<string, string>
  signal: AbortSignal | undefined
  size: number
  onProgress: (sent: number, total: number) => void
}

/** What a finished upload tells. */
export interface Uploaded {
  /** the path of the file on the server; `[name](url)` in a message links to it */
  url: string
  filename: string
}
