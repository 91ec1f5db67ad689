import { openDemoProvider } from './openDemoProvider.ts'
import { openEip1193Link } from './openEip1193Link.ts'
import { openNetworkLink } from './openNetworkLink.ts'
import { waitForEthereum } from './waitForEthereum.ts'

/** What connectors open their connections by, in one piece. */
export const walletLinks = { openDemoProvider, openEip1193Link, openNetworkLink, waitForEthereum }
