import type { Loose } from '../Loose.ts'

export type FileData = readonly number[] | { base64: string } | { size: number; type: string } | { uri: string }

export interface MoralisFile {
  name(): string
  url(options?: { forceSecure?: boolean }): string
  /** Gateway URL, if it was pinned. */
  ipfs(): string
  hash(): string
  metadata(): Record<string, string>
  tags(): Record<string, string>
  setMetadata(metadata: Record<string, string>): void
  addMetadata(name: string, value: string): void
  setTags(tags: Record<string, string>): void
  addTag(name: string, value: string): void
  getData(): Promise<string>
  save(options?: { progress?: (fraction: number) => void; [option: string]: Loose }): Promise<this>
  /** Pins it to IPFS as well, where the server is set up for it. */
  saveIPFS(options?: { progress?: (fraction: number) => void; [option: string]: Loose }): Promise<this>
  equals(other: unknown): boolean
  toJSON(): { __type: 'File'; name: string; url?: string }
}

export interface MoralisFileClass {
  new (
    name: string,
    data?: FileData,
    type?: string,
    metadata?: Record<string, string>,
    tags?: Record<string, string>,
  ): MoralisFile
  fromJSON(json: object): MoralisFile
}
