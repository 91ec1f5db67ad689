import { useLocation } from 'react-router'

/** The console uses the whole width. */
export const useIsConsole = () => /^\/admin(\/(?!claim)|$)/.test(useLocation().pathname)
