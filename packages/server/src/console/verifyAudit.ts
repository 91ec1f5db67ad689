import { readAnchor } from '../audit/anchors.ts'
import { verifyAudit } from '../audit/chain.ts'
import { listAnchors } from '../backup/listAnchors.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

/** Verifies the audit log against the anchors of this installation, and one that the caller kept. */
export const verifyAuditEndpoint = defineEndpoint('verifyAudit', {
  async handle({ context, input: { anchor } }) {
    const given = anchor === undefined ? undefined : readAnchor(anchor)
    return verifyAudit(context, [...(await listAnchors(context.config)), ...(given ? [given] : [])])
  },
})
