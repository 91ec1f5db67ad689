import { CountersignError } from '@countersign/protocol'
import type { SignInFields } from './Connector.ts'

/** As `checkMessage`, for a wallet that writes the text itself: refuses parts that are not for this page (S3, S5). */
export function checkFields({ domain, uri }: SignInFields): void {
  const page = typeof window === 'undefined' ? undefined : window.location
  if (!page?.host || (domain === page.host && uri === page.origin)) return
  throw new CountersignError('OperationForbidden', 'The server asked for a signature that is not for this page.', {
    details: `Expected a message for ${page.host}, received one for ${JSON.stringify(domain)}.`,
  })
}
