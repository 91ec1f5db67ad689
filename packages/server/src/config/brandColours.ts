/** The colours of the web application that a brand may set, as its style sheet has them without one. */
export const brandColours = {
  light: {
    paper: '#f7f5f0',
    surface: '#ffffff',
    sunken: '#f0ede6',
    line: '#e4dfd5',
    edge: '#8d8679',
    ink: '#1e1b17',
    muted: '#5c564d',
    accent: '#0f6b64',
    accentStrong: '#0a524c',
    accentSoft: '#e0f1ee',
    onAccent: '#ffffff',
  },
  dark: {
    paper: '#131210',
    surface: '#1c1b18',
    sunken: '#262420',
    line: '#35322d',
    edge: '#7d766b',
    ink: '#f4f1eb',
    muted: '#b8b1a6',
    accent: '#57d3c3',
    accentStrong: '#86e3d7',
    accentSoft: '#173330',
    onAccent: '#06211e',
  },
} as const

/** What warns and what confirms keeps its colours, and must be legible on whatever background a brand chooses. */
export const fixedColours = {
  light: { danger: '#b0281f', warn: '#815300', ok: '#1d6b37' },
  dark: { danger: '#ff9a90', warn: '#f0c46a', ok: '#86d9a0' },
} as const

export type Scheme = keyof typeof brandColours
export type BrandColour = keyof (typeof brandColours)['light']
export type Palette = Record<BrandColour, string>
