import type { Anchor } from '../audit/anchors.ts'

/** First entry of a backup: describes the installation. */
export type About = {
  format: number
  version: string
  created: string
  migrations: string[]
  /** The end of the audit log with its mark, which takes the secret to make. */
  audit?: Anchor & { mark: string }
}
