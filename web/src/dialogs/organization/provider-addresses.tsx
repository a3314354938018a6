/** Addresses that an owner enters at a provider. */
import { CopyField } from '../copy-field.js'

/** The addresses, each with a button that copies it. */
export const ProviderAddresses = ({ addresses }: { addresses: readonly { label: string; value: string }[] }) => (
  <>
    {addresses.map(({ label, value }) => (
      <div key={label}>
        <p class="field-label">{label}</p>
        <CopyField label={label} value={value} />
      </div>
    ))}
  </>
)
