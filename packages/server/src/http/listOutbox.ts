import { CountersignError } from '@countersign/protocol'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

export const listOutboxEndpoint = defineEndpoint('listOutbox', {
  localApp: true,
  async handle({ context: { mail }, caller }) {
    // Mails hold links that set passwords: who reads them can do more than read.
    if (caller.isReadOnly || (!caller.isMaster && !caller.isLocalApp)) {
      throw new CountersignError(
        'OperationForbidden',
        'The outbox requires the full master key, or the web application on localhost.',
      )
    }
    if (!mail.listOutbox)
      throw new CountersignError('CommandUnavailable', 'Emails are sent by SMTP, so there is no outbox.', {
        status: 404,
      })
    return { results: await mail.listOutbox() }
  },
})
