import type { OutboxMail } from '@countersign/protocol'

export type Letter = { to: string; subject: string; text: string; link: string | null }

/** How letters leave the server. */
export type Mail = {
  send(letter: Letter): Promise<void>
  /** Letters kept for a developer to read; `undefined` where they really leave by SMTP. */
  listOutbox: (() => Promise<OutboxMail[]>) | undefined
  close(): void
}
