import { CountersignError } from '@countersign/protocol'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

export const listOutboxEndpoint = defineEndpoint('listOutbox', {
  localApp: true,
  async handle({ context: { mail }, caller }) {
    // Mails hold links that set passwords: who reads them can do more than read.
    if (caller.isReadOnly || (!caller.isMaster && !caller.isLocalApp)) {
      throw new CountersignError(
        'OperationForbidden',
        'The outbox is for the full master key, or for the web application on the developer’s own machine.',
      )
    }
    if (!mail.listOutbox)
      throw new CountersignError('CommandUnavailable', 'Mails are sent by SMTP; there is no outbox.', { status: 404 })
    return { results: await mail.listOutbox() }
  },
})
