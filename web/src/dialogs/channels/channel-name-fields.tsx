import type { Signal } from '@preact/signals'
import { TextField } from '../../forms/fields.js'
import { useChat } from '../../realm/chat.js'

/** Shows the fields for the name and the description of a channel. The channel is a new one or one that exists. */
export const ChannelNameFields = ({ name, description }: { name: Signal<string>; description: Signal<string> }) => {
  const { max_stream_name_length, max_stream_description_length } = useChat().organization.value
  return (
    <>
      <TextField
        label="Name"
        value={name.value}
        most={max_stream_name_length}
        isRequired
        onChange={(value) => {
          name.value = value
        }}
      />
      <TextField
        label="Description"
        value={description.value}
        most={max_stream_description_length}
        rows={3}
        onChange={(value) => {
          description.value = value
        }}
      />
    </>
  )
}
