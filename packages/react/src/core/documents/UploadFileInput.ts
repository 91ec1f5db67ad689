export type UploadFileInput = {
  readonly file: Blob
  /** Unless given, the file's own. Signs that the server does not take are replaced. */
  readonly name?: string
  readonly metadata?: { readonly [name: string]: string | number | boolean | null }
  readonly tags?: { readonly [name: string]: string }
  /** Pins the file to IPFS as well, where the server is set up for it. */
  readonly ipfs?: boolean
  /** Called with the part that has been sent, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}
