'use client'

import { CountersignProvider, type CountersignProviderProps } from '@countersign/react'

/** Everything with hooks is below this; the layout around it stays on the server. */
export function Providers(props: Pick<CountersignProviderProps, 'initialSession' | 'children'>) {
  return (
    <CountersignProvider
      appId="{{name}}"
      serverUrl="/server"
      language="en"
      // Signs in without an extension; a build for production has none.
      demoWallet={process.env.NODE_ENV === 'development'}
      initializeOnMount
      {...props}
    />
  )
}
