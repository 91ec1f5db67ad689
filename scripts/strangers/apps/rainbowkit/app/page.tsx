'use client'

import { ConnectButton } from '@rainbow-me/rainbowkit'
import { Greeting } from './Greeting'

export default function Page() {
  return (
    <main>
      <ConnectButton />
      <Greeting />
    </main>
  )
}
