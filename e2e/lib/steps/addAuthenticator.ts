import type { CDPSession, Page } from '@playwright/test'

export type VirtualAuthenticator = {
  /** Sets the result of the user verification. */
  recognise: (isOwner: boolean) => Promise<void>
  countCredentials: () => Promise<number>
}

/**
 * Virtual authenticator of Chromium with a fingerprint reader. With `autofill` it accepts offers of form fields
 * automatically, so pages make none unless the test is about that.
 */
export async function addAuthenticator(
  page: Page,
  { autofill = false, hasPrf = false } = {},
): Promise<VirtualAuthenticator> {
  if (!autofill) {
    await page.addInitScript(() => {
      if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
  }
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasPrf,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async recognise(isUserVerified) {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async countCredentials() {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
  }
}
