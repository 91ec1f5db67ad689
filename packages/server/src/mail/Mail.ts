import type { MailKind, OutboxMail } from '@countersign/protocol'

/** `kind` is shown in the mail log: a subject may be the application's own, and contain anything. */
export type Letter = { kind: MailKind; to: string; subject: string; text: string; link: string | null }

/** Sends mails. */
export type Mail = {
  send(letter: Letter): Promise<void>
  /** Letters kept for a developer to read; `undefined` where they really leave by SMTP. */
  listOutbox: (() => Promise<OutboxMail[]>) | undefined
  close(): void
}
