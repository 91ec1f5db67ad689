import { type ReactNode, StrictMode } from 'react'
import { CountersignProvider, type CountersignProviderProps } from '../components/CountersignProvider.tsx'

/** Options of `render` and `renderHook` for what stands inside a provider, in StrictMode. */
export const inside = (props: CountersignProviderProps) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <CountersignProvider {...props}>{children}</CountersignProvider>
    </StrictMode>
  ),
})
