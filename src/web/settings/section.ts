/** The parts of the settings, each with an address. What runs something on the host's machine is its owner's. */
export type SettingsSection = 'agents' | 'channels' | 'doctor' | 'people' | 'policies' | 'sandbox'

export interface SectionEntry {
  readonly id: SettingsSection
  readonly label: string
  readonly isOwnersOnly: boolean
}

const SECTIONS: readonly SectionEntry[] = [
  { id: 'agents', label: 'Agents', isOwnersOnly: true },
  { id: 'channels', label: 'Channels', isOwnersOnly: true },
  { id: 'people', label: 'People', isOwnersOnly: false },
  { id: 'policies', label: 'Policies', isOwnersOnly: false },
  { id: 'sandbox', label: 'Sandbox', isOwnersOnly: true },
  { id: 'doctor', label: 'Doctor', isOwnersOnly: true },
]

export const sectionsFor = ({ isOwner }: { readonly isOwner: boolean }): readonly SectionEntry[] =>
  SECTIONS.filter(({ isOwnersOnly }) => isOwner || !isOwnersOnly)
