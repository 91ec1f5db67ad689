import { CountersignError } from '@countersign/protocol'
import { z } from 'zod'
import { readAnchor } from '../../audit/anchors.ts'
import { verifyAudit } from '../../audit/chain.ts'
import { listAudit } from '../../audit/listAudit.ts'
import { listAnchors } from '../../backup/listAnchors.ts'
import { sendPush } from '../../push/sendPush.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'

/** Of the older clients. */
const event = z.object({ eventName: z.string().max(200) })

export const operationEndpoints: Endpoint[] = [
  {
    name: 'trackEvent',
    method: 'POST',
    path: '/events/:eventName',
    summary: 'Accepts an analytics event of the older clients, and keeps nothing of it.',
    session: 'tolerated',
    params: event,
    input: z.looseObject({}),
    output: z.strictObject({}),
    handle: async () => ({}),
  },
  defineEndpoint('sendPush', {
    async handle({ context, caller, input }) {
      const id = await sendPush(context, caller, input)
      return respond({ result: true as const }, { headers: { 'X-Parse-Push-Status-Id': id } })
    },
  }),
  defineEndpoint('getPushKey', {
    async handle({ context }) {
      const { web } = context.config.push ?? {}
      if (!web) throw new CountersignError('PushMisconfigured', 'Web Push is not configured')
      return { publicKey: web.publicKey }
    },
  }),
  defineEndpoint('getConnection', {
    async handle({ context: { clock }, caller, sent }) {
      const said = (name: string) => {
        const value = sent.headers[name]
        return typeof value === 'string' ? value.slice(0, 200) : undefined
      }
      const forwardedFor = said('x-forwarded-for')
      const forwardedProto = said('x-forwarded-proto')
      const forwardedHost = said('x-forwarded-host')
      return {
        address: caller.ipAddress,
        isForwarded: caller.isForwarded ?? false,
        host: said('host') ?? '',
        ...(forwardedFor !== undefined && { forwardedFor }),
        ...(forwardedProto !== undefined && { forwardedProto }),
        ...(forwardedHost !== undefined && { forwardedHost }),
        time: clock.now().toISOString(),
      }
    },
  }),
  defineEndpoint('listAudit', {
    handle: ({ context, input: { limit, ...query } }) =>
      listAudit(context, { ...query, ...(limit !== undefined && { limit: Number(limit) }) }),
  }),
  defineEndpoint('verifyAudit', {
    async handle({ context, input: { anchor } }) {
      const given = anchor === undefined ? undefined : readAnchor(anchor)
      return verifyAudit(context, [...(await listAnchors(context.config)), ...(given ? [given] : [])])
    },
  }),
  defineEndpoint('listOutbox', {
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
  }),
]
