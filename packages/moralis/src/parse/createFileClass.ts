import type { Client, StoredFile } from '@countersign/react/core'
import { loadLater } from '../loadLater.ts'
import type { FileData, MoralisFileClass } from './MoralisFile.ts'

type Progress = { progress?: (fraction: number) => void }
type Texts = Record<string, string>

/** `Moralis.File` of a client. */
export function createFileClass(client: Client): MoralisFileClass {
  class ParseFile {
    #name: string
    #data: FileData | undefined
    #type: string | undefined
    #stored: StoredFile | undefined
    #metadata: Texts
    #tags: Texts

    constructor(name: string, data?: FileData, type?: string, metadata: Texts = {}, tags: Texts = {}) {
      this.#name = name
      this.#data = data
      this.#type = type
      this.#metadata = metadata
      this.#tags = tags
    }

    name(): string {
      return this.#stored?.name ?? this.#name
    }

    url({ forceSecure = false } = {}): string | undefined {
      const url = this.#stored?.url
      return forceSecure ? url?.replace(/^http:/, 'https:') : url
    }

    ipfs(): string | undefined {
      return this.#stored?.ipfs
    }

    hash(): string | undefined {
      return this.#stored?.hash
    }

    metadata(): Texts {
      return this.#metadata
    }

    tags(): Texts {
      return this.#tags
    }

    setMetadata(metadata: Texts): void {
      this.#metadata = { ...metadata }
    }

    addMetadata(name: string, value: string): void {
      this.#metadata = { ...this.#metadata, [name]: value }
    }

    setTags(tags: Texts): void {
      this.#tags = { ...tags }
    }

    addTag(name: string, value: string): void {
      this.#tags = { ...this.#tags, [name]: value }
    }

    async getData(): Promise<string> {
      const { readFileText } = await loadLater()
      return readFileText(this.#data ?? { uri: this.url() ?? '' }, this.#type)
    }

    async save({ progress }: Progress = {}, ipfs = false): Promise<this> {
      if (this.#stored && !ipfs) return this
      const { saveFile } = await loadLater()
      const file = { name: this.#name, data: this.#data, type: this.#type, metadata: this.#metadata, tags: this.#tags }
      this.#stored = await saveFile(client, { ...file, ipfs, onProgress: progress })
      return this
    }

    saveIPFS(options: Progress = {}): Promise<this> {
      return this.save(options, true)
    }

    equals(other: unknown): boolean {
      return other instanceof ParseFile && other.name() === this.name() && other.url() === this.url()
    }

    toJSON(): StoredFile {
      return this.#stored ?? { __type: 'File', name: this.#name }
    }

    static fromJSON(json: object): ParseFile {
      const stored = json as StoredFile
      const file = new ParseFile(stored.name)
      file.#stored = { ...stored }
      return file
    }
  }
  return ParseFile as unknown as MoralisFileClass
}
