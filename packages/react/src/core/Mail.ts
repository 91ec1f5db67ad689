import type { OutboxMail } from '@countersign/protocol'

/** A mail that the server kept because it has no SMTP server to send it by. */
export type Mail = Readonly<Omit<OutboxMail, 'createdAt'>> & { readonly createdAt: Date }
