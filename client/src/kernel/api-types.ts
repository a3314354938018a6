/**
 * The types of all endpoints and events. Written by `npm run docs` from the OpenAPI document: do not edit.
 */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Events: {
            /**
             * alert_words
             * @description The user's alert words changed. The list replaces the former one.
             */
            alert_words: {
                id: number;
            } & {
                alert_words: string[];
                /** @constant */
                type: "alert_words";
            };
            /**
             * attachment
             * @description The user uploaded a file.
             */
            "attachment.add": {
                id: number;
            } & {
                attachment: {
                    /** @description UNIX milliseconds */
                    create_time: number;
                    id: number;
                    messages: {
                        /** @description UNIX milliseconds */
                        date_sent: number;
                        id: number;
                    }[];
                    name: string;
                    path_id: string;
                    size: number;
                };
                /** @constant */
                op: "add";
                /** @constant */
                type: "attachment";
                upload_space_used: number;
            };
            /**
             * attachment
             * @description A file of the user was deleted.
             */
            "attachment.remove": {
                id: number;
            } & {
                attachment: {
                    id: number;
                };
                /** @constant */
                op: "remove";
                /** @constant */
                type: "attachment";
                upload_space_used: number;
            };
            /**
             * attachment
             * @description A message began or ceased to link to a file of the user.
             */
            "attachment.update": {
                id: number;
            } & {
                attachment: {
                    /** @description UNIX milliseconds */
                    create_time: number;
                    id: number;
                    messages: {
                        /** @description UNIX milliseconds */
                        date_sent: number;
                        id: number;
                    }[];
                    name: string;
                    path_id: string;
                    size: number;
                };
                /** @constant */
                op: "update";
                /** @constant */
                type: "attachment";
                upload_space_used: number;
            };
            /**
             * channel_folder
             * @description A folder of channels was created.
             */
            "channel_folder.add": {
                id: number;
            } & {
                channel_folder: {
                    creator_id: number | null;
                    date_created: number;
                    description: string;
                    id: number;
                    is_archived: boolean;
                    name: string;
                    /** @description Of feature level 414: later than the level that the server announces. */
                    order: number;
                    rendered_description: string;
                };
                /** @constant */
                op: "add";
                /** @constant */
                type: "channel_folder";
            };
            /**
             * channel_folder
             * @description The order of the folders changed. It replaces the former order.
             */
            "channel_folder.reorder": {
                id: number;
            } & {
                /** @constant */
                op: "reorder";
                order: number[];
                /** @constant */
                type: "channel_folder";
            };
            /**
             * channel_folder
             * @description Some properties of a folder changed; `data` has those.
             */
            "channel_folder.update": {
                id: number;
            } & {
                channel_folder_id: number;
                data: {
                    description?: string;
                    is_archived?: boolean;
                    name?: string;
                    rendered_description?: string;
                };
                /** @constant */
                op: "update";
                /** @constant */
                type: "channel_folder";
            };
            /**
             * custom_profile_fields
             * @description The profile fields of the organization changed. The list replaces the former one.
             */
            custom_profile_fields: {
                id: number;
            } & {
                fields: {
                    /** @constant */
                    display_in_profile_summary?: true;
                    editable_by_user: boolean;
                    field_data: string;
                    hint: string;
                    id: number;
                    name: string;
                    order: number;
                    required: boolean;
                    type: number;
                }[];
                /** @constant */
                type: "custom_profile_fields";
            };
            /**
             * default_stream_groups
             * @description The groups of default channels changed. The list replaces the former one.
             */
            default_stream_groups: {
                id: number;
            } & {
                default_stream_groups: {
                    description: string;
                    id: number;
                    name: string;
                    streams: number[];
                }[];
                /** @constant */
                type: "default_stream_groups";
            };
            /**
             * default_streams
             * @description The list of channels to which new users are subscribed changed. It replaces the former list.
             */
            default_streams: {
                id: number;
            } & {
                default_streams: number[];
                /** @constant */
                type: "default_streams";
            };
            /**
             * delete_message
             * @description Messages that the user received were deleted. Clients remove them from every view.
             */
            delete_message: {
                id: number;
            } & {
                message_id?: number;
                message_ids?: number[];
                /** @enum {string} */
                message_type: "stream" | "private";
                stream_id?: number;
                topic?: string;
                /** @constant */
                type: "delete_message";
            };
            /**
             * drafts
             * @description The user saved drafts, on this or another device.
             */
            "drafts.add": {
                id: number;
            } & {
                drafts: {
                    content: string;
                    id: number;
                    timestamp: number;
                    to: number[];
                    topic: string;
                    /** @enum {string} */
                    type: "" | "stream" | "private";
                }[];
                /** @constant */
                op: "add";
                /** @constant */
                type: "drafts";
            };
            /**
             * drafts
             * @description A draft of the user was deleted.
             */
            "drafts.remove": {
                id: number;
            } & {
                draft_id: number;
                /** @constant */
                op: "remove";
                /** @constant */
                type: "drafts";
            };
            /**
             * drafts
             * @description A draft of the user changed.
             */
            "drafts.update": {
                id: number;
            } & {
                draft: {
                    content: string;
                    id: number;
                    timestamp: number;
                    to: number[];
                    topic: string;
                    /** @enum {string} */
                    type: "" | "stream" | "private";
                };
                /** @constant */
                op: "update";
                /** @constant */
                type: "drafts";
            };
            /**
             * invites_changed
             * @description Invitations changed. Clients that show them fetch the list again.
             */
            invites_changed: {
                id: number;
            } & {
                /** @constant */
                type: "invites_changed";
            };
            /**
             * message
             * @description The user received a message. `flags` has its flags for this user, and `local_message_id` is that of the sender, in the queue that the sender named.
             */
            message: {
                id: number;
            } & {
                flags: string[];
                local_message_id?: string;
                message: {
                    avatar_url: string | null;
                    client: string;
                    content: string;
                    /** @enum {string} */
                    content_type: "text/html" | "text/x-markdown";
                    display_recipient: string | {
                        email: string;
                        full_name: string;
                        id: number;
                        is_mirror_dummy: boolean;
                    }[];
                    id: number;
                    is_me_message: boolean;
                    /** @description the linked files that have all searched words; absent without such a file */
                    match_files?: {
                        name: string;
                        url: string;
                    }[];
                    reactions: {
                        emoji_code: string;
                        emoji_name: string;
                        reaction_type: string;
                        /** @description deprecated: the reactor, for clients that have older names */
                        user?: {
                            email: string;
                            full_name: string;
                            id: number;
                            is_mirror_dummy: boolean;
                        };
                        user_id: number;
                    }[];
                    recipient_id: number;
                    sender_email: string;
                    sender_full_name: string;
                    sender_id: number;
                    sender_realm_str: string;
                    stream_id?: number;
                    subject: string;
                    submessages: {
                        content: string;
                        id: number;
                        message_id: number;
                        msg_type: string;
                        sender_id: number;
                    }[];
                    timestamp: number;
                    topic_links: {
                        text: string;
                        url: string;
                    }[];
                    /** @enum {string} */
                    type: "stream" | "private";
                };
                /** @constant */
                type: "message";
            };
            /**
             * muted_topics
             * @description The older form of `user_topic`: the whole list of muted topics.
             */
            muted_topics: {
                id: number;
            } & {
                muted_topics: [
                    string,
                    string,
                    number
                ][];
                /** @constant */
                type: "muted_topics";
            };
            /**
             * muted_users
             * @description The user's list of muted users changed. It replaces the former one.
             */
            muted_users: {
                id: number;
            } & {
                muted_users: {
                    id: number;
                    timestamp: number;
                }[];
                /** @constant */
                type: "muted_users";
            };
            /**
             * navigation_view
             * @description The user saved a view of the navigation.
             */
            "navigation_view.add": {
                id: number;
            } & {
                navigation_view: {
                    fragment: string;
                    is_pinned: boolean;
                    name: string | null;
                };
                /** @constant */
                op: "add";
                /** @constant */
                type: "navigation_view";
            };
            /**
             * navigation_view
             * @description A saved view was deleted.
             */
            "navigation_view.remove": {
                id: number;
            } & {
                fragment: string;
                /** @constant */
                op: "remove";
                /** @constant */
                type: "navigation_view";
            };
            /**
             * navigation_view
             * @description A saved view changed.
             */
            "navigation_view.update": {
                id: number;
            } & {
                data: {
                    is_pinned?: boolean;
                    name?: string | null;
                };
                fragment: string;
                /** @constant */
                op: "update";
                /** @constant */
                type: "navigation_view";
            };
            /**
             * onboarding_steps
             * @description The onboarding steps that the user has not seen changed. The list replaces the former one.
             */
            onboarding_steps: {
                id: number;
            } & {
                onboarding_steps: {
                    name: string;
                    /** @constant */
                    type: "one_time_notice";
                }[];
                /** @constant */
                type: "onboarding_steps";
            };
            /**
             * presence
             * @description A user was active or went idle. It is never stored: a client that was away fetches presence again.
             */
            presence: {
                id: number;
            } & ({
                email?: string;
                presence: {
                    website: {
                        /** @constant */
                        client: "website";
                        /** @constant */
                        pushable: false;
                        /** @enum {string} */
                        status: "active" | "idle" | "offline";
                        timestamp: number;
                    };
                };
                server_timestamp: number;
                /** @constant */
                type: "presence";
                user_id: number;
            } | {
                presences: {
                    [key: string]: {
                        active_timestamp?: number;
                        idle_timestamp?: number;
                    };
                };
                /** @constant */
                type: "presence";
            });
            /**
             * reaction
             * @description A user added or removed an emoji reaction of a message: `op` says which.
             */
            reaction: {
                id: number;
            } & {
                emoji_code: string;
                emoji_name: string;
                message_id: number;
                /** @enum {string} */
                op: "add" | "remove";
                reaction_type: string;
                /** @constant */
                type: "reaction";
                user: {
                    email: string;
                    full_name: string;
                    user_id: number;
                };
                user_id: number;
            };
            /**
             * realm_bot
             * @description A bot was created that the user may administer.
             */
            "realm_bot.add": {
                id: number;
            } & {
                bot: {
                    api_key: string;
                    avatar_url: string;
                    bot_type: number;
                    default_all_public_streams: boolean;
                    default_events_register_stream: string | null;
                    default_sending_stream: string | null;
                    email: string;
                    full_name: string;
                    is_active: boolean;
                    owner_id: number | null;
                    services: {
                        base_url: string;
                        interface: number;
                        token: string;
                    }[];
                    user_id: number;
                };
                /** @constant */
                op: "add";
                /** @constant */
                type: "realm_bot";
            };
            /**
             * realm_bot
             * @description The user may not administer a bot any more.
             */
            "realm_bot.delete": {
                id: number;
            } & {
                bot: {
                    user_id: number;
                };
                /** @constant */
                op: "delete";
                /** @constant */
                type: "realm_bot";
            };
            /**
             * realm_bot
             * @description A bot that the user may administer changed; `bot` has the properties that did.
             */
            "realm_bot.update": {
                id: number;
            } & {
                bot: {
                    api_key?: string;
                    avatar_url?: string;
                    bot_type?: number;
                    default_all_public_streams?: boolean;
                    default_events_register_stream?: string | null;
                    default_sending_stream?: string | null;
                    email?: string;
                    full_name?: string;
                    is_active?: boolean;
                    owner_id?: number | null;
                    services?: {
                        base_url: string;
                        interface: number;
                        token: string;
                    }[];
                    user_id: number;
                };
                /** @constant */
                op: "update";
                /** @constant */
                type: "realm_bot";
            };
            /**
             * realm_domains
             * @description A domain from which users may join was added.
             */
            "realm_domains.add": {
                id: number;
            } & {
                /** @constant */
                op: "add";
                realm_domain: {
                    allow_subdomains: boolean;
                    domain: string;
                };
                /** @constant */
                type: "realm_domains";
            };
            /**
             * realm_domains
             * @description Whether subdomains of a domain are accepted changed.
             */
            "realm_domains.change": {
                id: number;
            } & {
                /** @constant */
                op: "change";
                realm_domain: {
                    allow_subdomains: boolean;
                    domain: string;
                };
                /** @constant */
                type: "realm_domains";
            };
            /**
             * realm_domains
             * @description A domain was removed.
             */
            "realm_domains.remove": {
                id: number;
            } & {
                domain: string;
                /** @constant */
                op: "remove";
                /** @constant */
                type: "realm_domains";
            };
            /**
             * realm_emoji
             * @description The custom emoji of the organization changed. The list replaces the former one.
             */
            "realm_emoji.update": {
                id: number;
            } & {
                /** @constant */
                op: "update";
                realm_emoji: {
                    [key: string]: {
                        author_id: number | null;
                        deactivated: boolean;
                        id: string;
                        name: string;
                        source_url: string;
                        still_url: string | null;
                    };
                };
                /** @constant */
                type: "realm_emoji";
            };
            /**
             * realm_export
             * @description The list of exports of the organization changed. Only administrators receive it.
             */
            realm_export: {
                id: number;
            } & {
                exports: {
                    acting_user_id: number;
                    deleted_timestamp: number | null;
                    /** @description UNIX seconds */
                    export_time: number;
                    /** @description 1 what is public, 2 with what people consented to */
                    export_type: number;
                    export_url: string | null;
                    failed_timestamp: number | null;
                    id: number;
                    pending: boolean;
                }[];
                /** @constant */
                type: "realm_export";
            };
            /**
             * realm_export_consent
             * @description A user allowed or forbade that exports contain their private data. Only administrators receive it.
             */
            realm_export_consent: {
                id: number;
            } & {
                consented: boolean;
                /** @constant */
                type: "realm_export_consent";
                user_id: number;
            };
            /**
             * realm_linkifiers
             * @description The linkifiers of the organization changed. The list replaces the former one.
             */
            realm_linkifiers: {
                id: number;
            } & {
                realm_linkifiers: {
                    id: number;
                    pattern: string;
                    url_template: string;
                }[];
                /** @constant */
                type: "realm_linkifiers";
            };
            /**
             * realm_playgrounds
             * @description The code playgrounds of the organization changed. The list replaces the former one.
             */
            realm_playgrounds: {
                id: number;
            } & {
                realm_playgrounds: {
                    id: number;
                    name: string;
                    pygments_language: string;
                    url_template: string;
                }[];
                /** @constant */
                type: "realm_playgrounds";
            };
            /**
             * realm_user_settings_defaults
             * @description A default of the settings of new users changed.
             */
            "realm_user_settings_defaults.update": {
                id: number;
            } & {
                /** @constant */
                op: "update";
                property: string;
                /** @constant */
                type: "realm_user_settings_defaults";
                value: boolean | number | string;
            };
            /**
             * realm_user
             * @description An account became visible to the user: a new one, or one that a restricted guest may see from now on.
             */
            "realm_user.add": {
                id: number;
            } & {
                /** @constant */
                op: "add";
                person: {
                    avatar_url: string | null;
                    avatar_version: number;
                    bot_owner_id?: number | null;
                    bot_type: number | null;
                    date_joined: string;
                    delivery_email: string | null;
                    email: string;
                    full_name: string;
                    is_active: boolean;
                    is_admin: boolean;
                    is_bot: boolean;
                    is_guest: boolean;
                    is_owner: boolean;
                    /** @constant */
                    is_system_bot?: true;
                    profile_data?: {
                        [key: string]: {
                            rendered_value?: string;
                            value: string;
                        };
                    };
                    role: number;
                    timezone: string;
                    user_id: number;
                };
                /** @constant */
                type: "realm_user";
            };
            /**
             * realm_user
             * @description An account is not visible to the user any more.
             */
            "realm_user.remove": {
                id: number;
            } & {
                /** @constant */
                op: "remove";
                person: {
                    full_name: string;
                    user_id: number;
                };
                /** @constant */
                type: "realm_user";
            };
            /**
             * realm_user
             * @description Some properties of an account changed; `person` has those. `is_active` tells a deactivation.
             */
            "realm_user.update": {
                id: number;
            } & {
                /** @constant */
                op: "update";
                person: {
                    full_name: string;
                    user_id: number;
                } | {
                    /** @enum {string} */
                    avatar_source: "G" | "U";
                    avatar_url: string | null;
                    avatar_url_medium: string | null;
                    avatar_version: number;
                    user_id: number;
                } | {
                    email: string;
                    timezone: string;
                    user_id: number;
                } | {
                    bot_owner_id: number;
                    user_id: number;
                } | {
                    role: number;
                    user_id: number;
                } | {
                    delivery_email: string | null;
                    user_id: number;
                } | {
                    new_email: string;
                    user_id: number;
                } | {
                    is_active: boolean;
                    user_id: number;
                } | {
                    custom_profile_field: {
                        id: number;
                        rendered_value?: string;
                        value: string | null;
                    };
                    user_id: number;
                };
                /** @constant */
                type: "realm_user";
            };
            /**
             * realm
             * @description The organization was deactivated. It is the last event: connections close afterwards.
             */
            "realm.deactivated": {
                id: number;
            } & {
                /** @constant */
                op: "deactivated";
                realm_id: number;
                /** @constant */
                type: "realm";
            };
            /**
             * realm
             * @description One setting of the organization changed.
             */
            "realm.update": {
                id: number;
            } & {
                /** @constant */
                op: "update";
                property: string;
                /** @constant */
                type: "realm";
                value: boolean | number | string | null | (number | {
                    direct_members: number[];
                    direct_subgroups: number[];
                }) | {
                    [key: string]: {
                        available: boolean;
                        enabled: boolean;
                        unavailable_reason?: string;
                    };
                };
            };
            /**
             * realm
             * @description Some settings of the organization changed together; `data` has those.
             */
            "realm.update_dict": {
                id: number;
            } & {
                data: {
                    [key: string]: boolean | number | string | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                };
                /** @constant */
                op: "update_dict";
                /** @enum {string} */
                property: "default" | "icon" | "logo" | "night_logo";
                /** @constant */
                type: "realm";
            };
            /**
             * reminders
             * @description The user set a reminder of a message.
             */
            "reminders.add": {
                id: number;
            } & {
                /** @constant */
                op: "add";
                reminders: {
                    content: string;
                    /** @constant */
                    failed: false;
                    reminder_id: number;
                    reminder_target_message_id: number;
                    rendered_content: string;
                    scheduled_delivery_timestamp: number;
                    to: number[];
                    /** @constant */
                    type: "private";
                }[];
                /** @constant */
                type: "reminders";
            };
            /**
             * reminders
             * @description A reminder of the user was sent or deleted.
             */
            "reminders.remove": {
                id: number;
            } & {
                /** @constant */
                op: "remove";
                reminder_id: number;
                /** @constant */
                type: "reminders";
            };
            /**
             * restart
             * @description The server runs a new release. Clients may reload; nothing is lost.
             */
            restart: {
                id: number;
            } & {
                api_feature_level: number;
                server_generation: number;
                /** @constant */
                type: "restart";
                zulip_feature_level: number;
                zulip_merge_base: string;
                zulip_version: string;
            };
            /**
             * saved_snippets
             * @description A saved snippet of the user was created or changed: `op` says which.
             */
            "saved_snippets.put": {
                id: number;
            } & {
                /** @enum {string} */
                op: "add" | "update";
                saved_snippet: {
                    content: string;
                    date_created: number;
                    id: number;
                    title: string;
                };
                /** @constant */
                type: "saved_snippets";
            };
            /**
             * saved_snippets
             * @description A saved snippet of the user was deleted.
             */
            "saved_snippets.remove": {
                id: number;
            } & {
                /** @constant */
                op: "remove";
                saved_snippet_id: number;
                /** @constant */
                type: "saved_snippets";
            };
            /**
             * scheduled_messages
             * @description The user scheduled messages.
             */
            "scheduled_messages.add": {
                id: number;
            } & {
                /** @constant */
                op: "add";
                scheduled_messages: {
                    content: string;
                    failed: boolean;
                    rendered_content: string;
                    scheduled_delivery_timestamp: number;
                    scheduled_message_id: number;
                    to: number | number[];
                    topic?: string;
                    /** @enum {string} */
                    type: "stream" | "private";
                }[];
                /** @constant */
                type: "scheduled_messages";
            };
            /**
             * scheduled_messages
             * @description A scheduled message was sent or deleted.
             */
            "scheduled_messages.remove": {
                id: number;
            } & {
                /** @constant */
                op: "remove";
                scheduled_message_id: number;
                /** @constant */
                type: "scheduled_messages";
            };
            /**
             * scheduled_messages
             * @description A scheduled message changed, or could not be sent: `failed` says so.
             */
            "scheduled_messages.update": {
                id: number;
            } & {
                /** @constant */
                op: "update";
                scheduled_message: {
                    content: string;
                    failed: boolean;
                    rendered_content: string;
                    scheduled_delivery_timestamp: number;
                    scheduled_message_id: number;
                    to: number | number[];
                    topic?: string;
                    /** @enum {string} */
                    type: "stream" | "private";
                };
                /** @constant */
                type: "scheduled_messages";
            };
            /**
             * stream
             * @description A channel was archived: nobody can post in it. Clients move it out of the list of channels.
             */
            "stream.archive": {
                id: number;
            } & ({
                history_public_to_subscribers?: boolean;
                is_web_public?: boolean;
                name: string;
                /** @constant */
                op: "update";
                property: string;
                rendered_description?: string;
                stream_id: number;
                /** @constant */
                type: "stream";
                value: string | boolean | number | (number | {
                    direct_members: number[];
                    direct_subgroups: number[];
                }) | null;
            } | {
                /** @constant */
                op: "delete";
                stream_ids: number[];
                streams: {
                    stream_id: number;
                }[];
                /** @constant */
                type: "stream";
            });
            /**
             * stream
             * @description Channels became visible to the user: new ones, or ones that the user may see from now on.
             */
            "stream.create": {
                id: number;
            } & {
                /** @constant */
                op: "create";
                streams: {
                    can_add_subscribers_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_administer_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 441: later than the level that the server announces. */
                    can_create_topic_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_any_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_own_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_out_of_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_within_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_subscribers_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 402: later than the level that the server announces. */
                    can_resolve_topics_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_send_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_subscribe_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    creator_id: number | null;
                    date_created: number;
                    description: string;
                    first_message_id: number | null;
                    folder_id: number | null;
                    history_public_to_subscribers: boolean;
                    invite_only: boolean;
                    is_announcement_only: boolean;
                    is_archived: boolean;
                    is_recently_active: boolean;
                    is_web_public: boolean;
                    message_retention_days: number | null;
                    name: string;
                    rendered_description: string;
                    stream_id: number;
                    stream_post_policy: number;
                    stream_weekly_traffic: number | null;
                    subscriber_count: number;
                    /**
                     * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                     * @enum {string}
                     */
                    topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                }[];
                /** @constant */
                type: "stream";
            };
            /**
             * stream
             * @description Channels are gone for the user: they may not see them any more.
             */
            "stream.delete": {
                id: number;
            } & {
                /** @constant */
                op: "delete";
                stream_ids: number[];
                streams: {
                    stream_id: number;
                }[];
                /** @constant */
                type: "stream";
            };
            /**
             * stream
             * @description An archived channel is in use again.
             */
            "stream.unarchive": {
                id: number;
            } & ({
                history_public_to_subscribers?: boolean;
                is_web_public?: boolean;
                name: string;
                /** @constant */
                op: "update";
                property: string;
                rendered_description?: string;
                stream_id: number;
                /** @constant */
                type: "stream";
                value: string | boolean | number | (number | {
                    direct_members: number[];
                    direct_subgroups: number[];
                }) | null;
            } | {
                /** @constant */
                op: "create";
                streams: {
                    can_add_subscribers_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_administer_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 441: later than the level that the server announces. */
                    can_create_topic_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_any_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_own_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_out_of_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_within_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_subscribers_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 402: later than the level that the server announces. */
                    can_resolve_topics_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_send_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_subscribe_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    creator_id: number | null;
                    date_created: number;
                    description: string;
                    first_message_id: number | null;
                    folder_id: number | null;
                    history_public_to_subscribers: boolean;
                    invite_only: boolean;
                    is_announcement_only: boolean;
                    is_archived: boolean;
                    is_recently_active: boolean;
                    is_web_public: boolean;
                    message_retention_days: number | null;
                    name: string;
                    rendered_description: string;
                    stream_id: number;
                    stream_post_policy: number;
                    stream_weekly_traffic: number | null;
                    subscriber_count: number;
                    /**
                     * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                     * @enum {string}
                     */
                    topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                }[];
                /** @constant */
                type: "stream";
            });
            /**
             * stream
             * @description One property of a channel changed. `property` names it and `value` is the new value.
             */
            "stream.update": {
                id: number;
            } & {
                history_public_to_subscribers?: boolean;
                is_web_public?: boolean;
                name: string;
                /** @constant */
                op: "update";
                property: string;
                rendered_description?: string;
                stream_id: number;
                /** @constant */
                type: "stream";
                value: string | boolean | number | (number | {
                    direct_members: number[];
                    direct_subgroups: number[];
                }) | null;
            };
            /**
             * submessage
             * @description A part of a widget (a poll, a to-do list) was added to a message.
             */
            submessage: {
                id: number;
            } & {
                content: string;
                message_id: number;
                msg_type: string;
                sender_id: number;
                submessage_id: number;
                /** @constant */
                type: "submessage";
            };
            /**
             * subscription
             * @description The user was subscribed to channels. Each object has the whole subscription.
             */
            "subscription.add": {
                id: number;
            } & {
                /** @constant */
                op: "add";
                subscriptions: {
                    audible_notifications: boolean | null;
                    can_add_subscribers_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_administer_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 441: later than the level that the server announces. */
                    can_create_topic_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_any_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_own_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_out_of_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_within_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_subscribers_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 402: later than the level that the server announces. */
                    can_resolve_topics_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_send_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_subscribe_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    color: string;
                    creator_id: number | null;
                    date_created: number;
                    description: string;
                    desktop_notifications: boolean | null;
                    email_notifications: boolean | null;
                    first_message_id: number | null;
                    folder_id: number | null;
                    history_public_to_subscribers: boolean;
                    in_home_view: boolean;
                    invite_only: boolean;
                    is_announcement_only: boolean;
                    is_archived: boolean;
                    is_muted: boolean;
                    is_recently_active: boolean;
                    is_web_public: boolean;
                    message_retention_days: number | null;
                    name: string;
                    pin_to_top: boolean;
                    push_notifications: boolean | null;
                    rendered_description: string;
                    stream_id: number;
                    stream_post_policy: number;
                    stream_weekly_traffic: number | null;
                    subscriber_count: number;
                    subscribers: number[];
                    /**
                     * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                     * @enum {string}
                     */
                    topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                    wildcard_mentions_notify: boolean | null;
                }[];
                /** @constant */
                type: "subscription";
            };
            /**
             * subscription
             * @description Other users were subscribed to channels that the user can see.
             */
            "subscription.peer_add": {
                id: number;
            } & {
                /** @constant */
                op: "peer_add";
                stream_ids: number[];
                /** @constant */
                type: "subscription";
                user_ids: number[];
            };
            /**
             * subscription
             * @description Other users were unsubscribed from channels that the user can see.
             */
            "subscription.peer_remove": {
                id: number;
            } & {
                /** @constant */
                op: "peer_remove";
                stream_ids: number[];
                /** @constant */
                type: "subscription";
                user_ids: number[];
            };
            /**
             * subscription
             * @description The subscribers of channels that were unarchived, for clients without the capability `archived_channels`.
             */
            "subscription.peer_return": {
                id: number;
            } & {
                /** @constant */
                op: "peer_add";
                stream_ids: number[];
                /** @constant */
                type: "subscription";
                user_ids: number[];
            };
            /**
             * subscription
             * @description The user was unsubscribed from channels.
             */
            "subscription.remove": {
                id: number;
            } & {
                /** @constant */
                op: "remove";
                subscriptions: {
                    name: string;
                    stream_id: number;
                }[];
                /** @constant */
                type: "subscription";
            };
            /**
             * subscription
             * @description Channels of the user were unarchived. Clients with the capability `archived_channels` do not receive it: they kept the subscriptions.
             */
            "subscription.return": {
                id: number;
            } & {
                /** @constant */
                op: "add";
                subscriptions: {
                    audible_notifications: boolean | null;
                    can_add_subscribers_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_administer_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 441: later than the level that the server announces. */
                    can_create_topic_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_any_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_own_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_out_of_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_within_channel_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_subscribers_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 402: later than the level that the server announces. */
                    can_resolve_topics_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_send_message_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_subscribe_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    color: string;
                    creator_id: number | null;
                    date_created: number;
                    description: string;
                    desktop_notifications: boolean | null;
                    email_notifications: boolean | null;
                    first_message_id: number | null;
                    folder_id: number | null;
                    history_public_to_subscribers: boolean;
                    in_home_view: boolean;
                    invite_only: boolean;
                    is_announcement_only: boolean;
                    is_archived: boolean;
                    is_muted: boolean;
                    is_recently_active: boolean;
                    is_web_public: boolean;
                    message_retention_days: number | null;
                    name: string;
                    pin_to_top: boolean;
                    push_notifications: boolean | null;
                    rendered_description: string;
                    stream_id: number;
                    stream_post_policy: number;
                    stream_weekly_traffic: number | null;
                    subscriber_count: number;
                    subscribers: number[];
                    /**
                     * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                     * @enum {string}
                     */
                    topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                    wildcard_mentions_notify: boolean | null;
                }[];
                /** @constant */
                type: "subscription";
            };
            /**
             * subscription
             * @description One property of the user's subscription changed, such as its color or whether it is muted.
             */
            "subscription.update": {
                id: number;
            } & {
                /** @constant */
                op: "update";
                property: string;
                stream_id: number;
                /** @constant */
                type: "subscription";
                value: boolean | string;
            };
            /**
             * typing
             * @description A user began or stopped typing a message to the user, or in a channel. Clients show it for 45 seconds unless it is repeated. It is never stored: a client that was away for longer does not receive it.
             */
            typing: {
                id: number;
            } & {
                /** @enum {string} */
                message_type: "direct" | "stream";
                /** @enum {string} */
                op: "start" | "stop";
                recipients?: {
                    email: string;
                    user_id: number;
                }[];
                sender: {
                    email: string;
                    user_id: number;
                };
                stream_id?: number;
                topic?: string;
                /** @constant */
                type: "typing";
            };
            /**
             * typing_edit_message
             * @description A user began or stopped editing a message. It is never stored.
             */
            typing_edit_message: {
                id: number;
            } & {
                message_id: number;
                /** @enum {string} */
                op: "start" | "stop";
                recipient: {
                    channel_id: number;
                    topic: string;
                    /** @constant */
                    type: "channel";
                } | {
                    /** @constant */
                    type: "direct";
                    user_ids: number[];
                };
                sender_id: number;
                /** @constant */
                type: "typing_edit_message";
            };
            /**
             * update_display_settings
             * @description The older form of `user_settings` for display settings.
             */
            update_display_settings: {
                id: number;
            } & {
                language_name?: string;
                setting: boolean | number | string;
                setting_name: string;
                /** @constant */
                type: "update_display_settings";
                user: string;
            };
            /**
             * update_global_notifications
             * @description The older form of `user_settings` for settings of notifications.
             */
            update_global_notifications: {
                id: number;
            } & {
                notification_name: string;
                setting: boolean | number | string;
                /** @constant */
                type: "update_global_notifications";
                user: string;
            };
            /**
             * update_message
             * @description A message was edited, or messages were moved to another topic or channel. `message_ids` lists those that moved. With `rendering_only`, only the HTML changed, for example because a preview was added.
             */
            update_message: {
                id: number;
            } & {
                content?: string;
                edit_timestamp: number;
                flags: string[];
                is_me_message?: boolean;
                message_id: number;
                message_ids: number[];
                new_stream_id?: number;
                orig_content?: string;
                orig_rendered_content?: string;
                orig_subject?: string;
                /** @enum {string} */
                propagate_mode?: "change_one" | "change_later" | "change_all";
                rendered_content?: string;
                rendering_only: boolean;
                stream_id?: number;
                stream_name?: string;
                subject?: string;
                topic_links?: {
                    text: string;
                    url: string;
                }[];
                /** @constant */
                type: "update_message";
                user_id: number | null;
            };
            /**
             * update_message_flags
             * @description Flags of messages were added or removed for this user: read, starred, collapsed. `all` is true if all messages were marked.
             */
            update_message_flags: {
                id: number;
            } & {
                all: boolean;
                flag: string;
                message_details?: {
                    [key: string]: {
                        /** @constant */
                        mentioned?: true;
                        stream_id?: number;
                        topic?: string;
                        /** @enum {string} */
                        type: "stream" | "private";
                        unmuted_stream_msg?: boolean;
                        user_ids?: number[];
                    };
                };
                messages: number[];
                /** @enum {string} */
                op: "add" | "remove";
                /** @enum {string} */
                operation: "add" | "remove";
                /** @constant */
                type: "update_message_flags";
            };
            /**
             * user_group
             * @description A group was created.
             */
            "user_group.add": {
                id: number;
            } & {
                group: {
                    can_add_members_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_join_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_leave_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_manage_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_mention_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_members_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    creator_id: number | null;
                    date_created: number | null;
                    deactivated: boolean;
                    description: string;
                    direct_subgroup_ids: number[];
                    id: number;
                    is_system_group: boolean;
                    members: number[];
                    name: string;
                };
                /** @constant */
                op: "add";
                /** @constant */
                type: "user_group";
            };
            /**
             * user_group
             * @description Users became direct members of a group.
             */
            "user_group.add_members": {
                id: number;
            } & {
                group_id: number;
                /** @constant */
                op: "add_members";
                /** @constant */
                type: "user_group";
                user_ids: number[];
            };
            /**
             * user_group
             * @description Groups became direct subgroups of a group.
             */
            "user_group.add_subgroups": {
                id: number;
            } & {
                direct_subgroup_ids: number[];
                group_id: number;
                /** @constant */
                op: "add_subgroups";
                /** @constant */
                type: "user_group";
            };
            /**
             * user_group
             * @description A group was deactivated. Clients treat it as an update of `deactivated`.
             */
            "user_group.deactivate": {
                id: number;
            } & ({
                data: {
                    can_add_members_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_join_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_leave_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_manage_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_mention_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_members_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    deactivated?: boolean;
                    description?: string;
                    name?: string;
                };
                group_id: number;
                /** @constant */
                op: "update";
                /** @constant */
                type: "user_group";
            } | {
                group_id: number;
                /** @constant */
                op: "remove";
                /** @constant */
                type: "user_group";
            });
            /**
             * user_group
             * @description A deactivated group is in use again.
             */
            "user_group.reactivate": {
                id: number;
            } & ({
                data: {
                    can_add_members_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_join_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_leave_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_manage_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_mention_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_members_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    deactivated?: boolean;
                    description?: string;
                    name?: string;
                };
                group_id: number;
                /** @constant */
                op: "update";
                /** @constant */
                type: "user_group";
            } | {
                group: {
                    can_add_members_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_join_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_leave_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_manage_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_mention_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_members_group: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    creator_id: number | null;
                    date_created: number | null;
                    deactivated: boolean;
                    description: string;
                    direct_subgroup_ids: number[];
                    id: number;
                    is_system_group: boolean;
                    members: number[];
                    name: string;
                };
                /** @constant */
                op: "add";
                /** @constant */
                type: "user_group";
            });
            /**
             * user_group
             * @description Users are no direct members of a group any more.
             */
            "user_group.remove_members": {
                id: number;
            } & {
                group_id: number;
                /** @constant */
                op: "remove_members";
                /** @constant */
                type: "user_group";
                user_ids: number[];
            };
            /**
             * user_group
             * @description Groups are no direct subgroups of a group any more.
             */
            "user_group.remove_subgroups": {
                id: number;
            } & {
                direct_subgroup_ids: number[];
                group_id: number;
                /** @constant */
                op: "remove_subgroups";
                /** @constant */
                type: "user_group";
            };
            /**
             * user_group
             * @description Some properties of a group changed; `data` has those.
             */
            "user_group.update": {
                id: number;
            } & {
                data: {
                    can_add_members_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_join_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_leave_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_manage_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_mention_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_members_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    deactivated?: boolean;
                    description?: string;
                    name?: string;
                };
                group_id: number;
                /** @constant */
                op: "update";
                /** @constant */
                type: "user_group";
            };
            /**
             * user_settings
             * @description A setting of the user changed.
             */
            "user_settings.update": {
                id: number;
            } & {
                language_name?: string;
                /** @constant */
                op: "update";
                property: string;
                /** @constant */
                type: "user_settings";
                value: boolean | number | string;
            };
            /**
             * user_status
             * @description A user's status text or emoji changed; absent properties did not.
             */
            user_status: {
                id: number;
            } & {
                away?: boolean;
                emoji_code?: string;
                emoji_name?: string;
                reaction_type?: string;
                /** @description null: it ends when the user clears it */
                scheduled_end_time?: number | null;
                status_text?: string;
                /** @constant */
                type: "user_status";
                user_id: number;
            };
            /**
             * user_topic
             * @description The user's policy for a topic (muted, unmuted, followed) changed.
             */
            user_topic: {
                id: number;
            } & {
                last_updated: number;
                stream_id: number;
                topic_name: string;
                /** @constant */
                type: "user_topic";
                visibility_policy: number;
            };
        };
        Operations: {
            /** @description Deletes a file that the caller uploaded. */
            "DELETE /attachments/{attachment_id}": {
                params: {
                    attachment_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deletes texts from the caller's storage. */
            "DELETE /bot_storage": {
                params: {
                    /** @description default: all keys */
                    keys?: string[];
                };
                result: Record<string, never>;
            };
            /** @description Deactivates a bot. */
            "DELETE /bots/{bot_id}": {
                params: {
                    bot_id: number;
                    /**
                     * @description true ends the API key, the links that were mailed, and the password: a reactivated account needs new ones
                     * @default false
                     */
                    end_credentials?: boolean;
                };
                result: Record<string, never>;
            };
            /** @description Removes a group of default channels. The channels themselves do not change. */
            "DELETE /default_stream_groups/{group_id}": {
                params: {
                    group_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Makes a channel no default channel any more: new accounts are not subscribed to it. */
            "DELETE /default_streams": {
                params: {
                    stream_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deletes a draft. */
            "DELETE /drafts/{draft_id}": {
                params: {
                    draft_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deletes an event queue, and ends the poll that waits on it. */
            "DELETE /events": {
                params: {
                    queue_id: string;
                };
                result: Record<string, never>;
            };
            /** @description Deletes the archive of an export. */
            "DELETE /export/realm/{export_id}": {
                params: {
                    export_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Revokes an invitation by mail. */
            "DELETE /invites/{invite_id}": {
                params: {
                    invite_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Revokes an invitation link. */
            "DELETE /invites/multiuse/{invite_id}": {
                params: {
                    invite_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deletes a message. */
            "DELETE /messages/{message_id}": {
                params: {
                    message_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Removes an emoji reaction of the caller from a message. */
            "DELETE /messages/{message_id}/reactions": {
                params: {
                    emoji_code?: string;
                    emoji_name?: string;
                    message_id: number;
                    /**
                     * @description unicode_emoji, realm_emoji or service_extra_emoji (zulip_extra_emoji)
                     * @default unicode_emoji
                     */
                    reaction_type?: string;
                };
                result: Record<string, never>;
            };
            /** @description Removes a view. */
            "DELETE /navigation_views/{fragment}": {
                params: {
                    fragment: string;
                };
                result: Record<string, never>;
            };
            /** @description Removes a domain. Removing the last one also removes the restriction. */
            "DELETE /realm/domains/{domain}": {
                params: {
                    domain: string;
                };
                result: Record<string, never>;
            };
            /** @description Deactivates a custom emoji. Messages that contain it keep it. */
            "DELETE /realm/emoji/{emoji_name}": {
                params: {
                    emoji_name: string;
                };
                result: Record<string, never>;
            };
            /** @description Removes a linkifier. */
            "DELETE /realm/filters/{filter_id}": {
                params: {
                    filter_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Removes the organization's icon. */
            "DELETE /realm/icon": {
                params: Record<string, never>;
                result: {
                    icon_url: string;
                };
            };
            /** @description Removes a logo of the organization. */
            "DELETE /realm/logo": {
                params: {
                    /** @description true: the logo of the dark theme */
                    night: boolean;
                };
                result: Record<string, never>;
            };
            /** @description Removes a code playground. */
            "DELETE /realm/playgrounds/{playground_id}": {
                params: {
                    playground_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deletes a profile field and all its values. */
            "DELETE /realm/profile_fields/{field_id}": {
                params: {
                    field_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deletes a reminder that was not sent yet. */
            "DELETE /reminders/{reminder_id}": {
                params: {
                    reminder_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deletes a saved snippet. */
            "DELETE /saved_snippets/{saved_snippet_id}": {
                params: {
                    saved_snippet_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Cancels a scheduled message. */
            "DELETE /scheduled_messages/{scheduled_message_id}": {
                params: {
                    scheduled_message_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Ends a session of the account, and closes its connections. */
            "DELETE /sessions/{session_id}": {
                params: {
                    session_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Logs the browser out: ends its session, and closes the session's connections. */
            "DELETE /sessions/current": {
                params: Record<string, never>;
                result: Record<string, never>;
            };
            /** @description Archives a channel: users can read it, and cannot send messages to it. */
            "DELETE /streams/{stream_id}": {
                params: {
                    stream_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deletes an unfinished upload (tus 1.0). */
            "DELETE /tus/{upload_id}": {
                params: {
                    upload_id: string;
                };
                result: Record<string, never>;
            };
            /** @description Deactivates a user group; the name of the endpoint in older clients. */
            "DELETE /user_groups/{user_group_id}": {
                params: {
                    user_group_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deactivates an account and its bots. */
            "DELETE /users/{user_id}": {
                params: {
                    /** @description mailed to the user; without this parameter no mail is sent */
                    deactivation_notification_comment?: string;
                    /**
                     * @description true ends the API key, the links that were mailed, and the password: a reactivated account needs new ones
                     * @default false
                     */
                    end_credentials?: boolean;
                    user_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Deactivates the caller's own account and its bots. */
            "DELETE /users/me": {
                params: {
                    /**
                     * @description true ends the API key, the links that were mailed, and the password: a reactivated account needs new ones
                     * @default false
                     */
                    end_credentials?: boolean;
                };
                result: Record<string, never>;
            };
            /** @description Removes alert words, compared without case. */
            "DELETE /users/me/alert_words": {
                params: {
                    alert_words: string[];
                };
                result: {
                    alert_words: string[];
                };
            };
            /** @description Unregisters a device with an FCM token. */
            "DELETE /users/me/android_gcm_reg_id": {
                params: {
                    /** @description 1 to 4096 characters */
                    token: string;
                };
                result: Record<string, never>;
            };
            /** @description Unregisters a device with an APNs token. */
            "DELETE /users/me/apns_device_token": {
                params: {
                    /** @description 1 to 4096 characters */
                    token: string;
                };
                result: Record<string, never>;
            };
            /** @description Removes the caller's uploaded avatar: the account shows a drawn one, or its Gravatar where those are used. */
            "DELETE /users/me/avatar": {
                params: Record<string, never>;
                result: {
                    avatar_url: string;
                };
            };
            /** @description Unmutes a user. */
            "DELETE /users/me/muted_users/{muted_user_id}": {
                params: {
                    muted_user_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Clears fields of the caller's own profile. */
            "DELETE /users/me/profile_data": {
                params: {
                    /** @description ids of fields */
                    data: number[];
                };
                result: Record<string, never>;
            };
            /** @description Unsubscribes users from channels by name. */
            "DELETE /users/me/subscriptions": {
                params: {
                    principals?: number[] | string[];
                    subscriptions: string[];
                };
                result: {
                    not_removed: string[];
                    removed: string[];
                };
            };
            /** @description Lists the files that the caller uploaded, newest first. */
            "GET /attachments": {
                params: Record<string, never>;
                result: {
                    attachments: {
                        /** @description UNIX milliseconds */
                        create_time: number;
                        id: number;
                        messages: {
                            /** @description UNIX milliseconds */
                            date_sent: number;
                            id: number;
                        }[];
                        name: string;
                        path_id: string;
                        size: number;
                    }[];
                    upload_space_used: number;
                };
            };
            /** @description Reads the caller's storage. */
            "GET /bot_storage": {
                params: {
                    /** @description default: all keys */
                    keys?: string[];
                };
                result: {
                    storage: {
                        [key: string]: string;
                    };
                };
            };
            /** @description Lists the caller's own active bots, with their keys. */
            "GET /bots": {
                params: Record<string, never>;
                result: {
                    bots: {
                        api_key: string;
                        avatar_url: string;
                        default_all_public_streams: boolean;
                        default_events_register_stream: string | null;
                        default_sending_stream: string | null;
                        full_name: string;
                        username: string;
                    }[];
                };
            };
            /** @description Gets the API key of a bot. */
            "GET /bots/{bot_id}/api_key": {
                params: {
                    bot_id: number;
                };
                result: {
                    api_key: string;
                };
            };
            /** @description Creates a BigBlueButton video call. Always refused, because this server does not support it. */
            "GET /calls/bigbluebutton/create": {
                params: {
                    meeting_name: string;
                    /** @default false */
                    voice_only?: boolean;
                };
                result: {
                    url: string;
                };
            };
            /** @description Lists the folders of channels in their order. */
            "GET /channel_folders": {
                params: {
                    /** @default false */
                    include_archived?: boolean;
                };
                result: {
                    channel_folders: {
                        creator_id: number | null;
                        date_created: number;
                        description: string;
                        id: number;
                        is_archived: boolean;
                        name: string;
                        /** @description Of feature level 414: later than the level that the server announces. */
                        order: number;
                        rendered_description: string;
                    }[];
                };
            };
            /** @description Lists the accounts for logging in on a development server, administrators first. */
            "GET /dev_list_users": {
                params: Record<string, never>;
                result: {
                    direct_admins: {
                        email: string;
                        realm_uri: string;
                        realm_url: string;
                    }[];
                    direct_users: {
                        email: string;
                        realm_uri: string;
                        realm_url: string;
                    }[];
                };
            };
            /** @description Lists the caller’s drafts, the oldest edit first. */
            "GET /drafts": {
                params: Record<string, never>;
                result: {
                    count: number;
                    drafts: {
                        content: string;
                        id: number;
                        timestamp: number;
                        to: number[];
                        topic: string;
                        /** @enum {string} */
                        type: "" | "stream" | "private";
                    }[];
                };
            };
            /** @description Reads the events of a queue after a cursor: waits for one, or streams them (Accept: text/event-stream). */
            "GET /events": {
                params: {
                    /** @default false */
                    dont_block?: boolean;
                    /** @description after how many seconds a long poll without an event is answered; from 10 on, up to 9 more are added */
                    heartbeat_seconds?: number;
                    /** @description id of the last event that the client processed; the header Last-Event-ID overrides it */
                    last_event_id?: number;
                    queue_id?: string;
                    /** @description the answer begins when this gateway has every event up to this id, which the client saw elsewhere */
                    seen_event_id?: number;
                    /** @description of POST /events/ticket, for a stream without an Authorization header */
                    ticket?: string;
                };
                result: {
                    events: ({
                        id: number;
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    queue_id: string;
                };
            };
            /** @description Lists the exports of the organization's data; those with an audit log to owners only, and the URL of an archive only to its requester. */
            "GET /export/realm": {
                params: Record<string, never>;
                result: {
                    exports: {
                        acting_user_id: number;
                        deleted_timestamp: number | null;
                        /** @description UNIX seconds */
                        export_time: number;
                        /** @description 1 what is public, 2 with what people consented to */
                        export_type: number;
                        export_url: string | null;
                        failed_timestamp: number | null;
                        id: number;
                        pending: boolean;
                    }[];
                };
            };
            /** @description Lists for each user whether the user consented to the export of their private data. */
            "GET /export/realm/consents": {
                params: Record<string, never>;
                result: {
                    export_consents: {
                        consented: boolean;
                        /** @description Of feature level 430: later than the level that the server announces. */
                        email_address_visibility: number;
                        user_id: number;
                    }[];
                };
            };
            /** @description Gets the id of a channel by its name, compared without case. */
            "GET /get_stream_id": {
                params: {
                    stream: string;
                };
                result: {
                    stream_id: number;
                };
            };
            /** @description Lists the open invitations: all of them for administrators, their own for other users. */
            "GET /invites": {
                params: Record<string, never>;
                result: {
                    invites: {
                        email?: string;
                        expiry_date: number | null;
                        id: number;
                        /** @description UNIX seconds */
                        invited: number;
                        invited_as: number;
                        invited_by_user_id: number;
                        is_multiuse: boolean;
                        /** @description of a reusable invitation; only owners see that of one for owners */
                        link_url?: string;
                        notify_referrer_on_join?: boolean;
                    }[];
                };
            };
            /** @description Fetches messages of a narrow: a page around an anchor, or those with the given ids. */
            "GET /messages": {
                params: {
                    /**
                     * @description false: an empty topic is replaced by its display name
                     * @default false
                     */
                    allow_empty_topic_name?: boolean;
                    /** @description an id, or oldest, newest, first_unread, date. The value date: Of feature level 445: later than the level that the server announces. */
                    anchor?: string;
                    /** @description with the anchor `date`: a date or a time (ISO 8601); the anchor is the first message from then on. Of feature level 445: later than the level that the server announces. */
                    anchor_date?: string;
                    /**
                     * @description content as HTML; false: as the Markdown that was sent
                     * @default true
                     */
                    apply_markdown?: boolean;
                    /** @default true */
                    client_gravatar?: boolean;
                    /** @default true */
                    include_anchor?: boolean;
                    message_ids?: number[];
                    /**
                     * @description the terms that all messages match. The operator mentions: Of feature level 446: later than the level that the server announces.
                     * @default []
                     */
                    narrow?: (({
                        negated?: boolean;
                        operand: string | number | number[];
                        operator: string;
                    } & {
                        [key: string]: unknown;
                    }) | [
                        string,
                        string
                    ])[];
                    /** @default 0 */
                    num_after?: number;
                    /** @default 0 */
                    num_before?: number;
                    /**
                     * @description legacy: anchor is first_unread
                     * @default false
                     */
                    use_first_unread_anchor?: boolean;
                };
                result: {
                    anchor?: number;
                    found_anchor: boolean;
                    found_newest: boolean;
                    found_oldest: boolean;
                    history_limited: boolean;
                    messages: {
                        avatar_url: string | null;
                        client: string;
                        content: string;
                        /** @enum {string} */
                        content_type: "text/html" | "text/x-markdown";
                        display_recipient: string | {
                            email: string;
                            full_name: string;
                            id: number;
                            is_mirror_dummy: boolean;
                        }[];
                        edit_history?: {
                            prev_content?: string;
                            prev_rendered_content?: string;
                            prev_stream?: number;
                            prev_topic?: string;
                            stream?: number;
                            timestamp: number;
                            topic?: string;
                            user_id: number | null;
                        }[];
                        readonly flags?: string[];
                        id: number;
                        is_me_message: boolean;
                        last_edit_timestamp?: number;
                        last_moved_timestamp?: number;
                        match_content?: string;
                        /** @description the linked files that have all searched words; absent without such a file */
                        match_files?: {
                            name: string;
                            url: string;
                        }[];
                        match_subject?: string;
                        reactions: {
                            emoji_code: string;
                            emoji_name: string;
                            reaction_type: string;
                            /** @description deprecated: the reactor, for clients that have older names */
                            user?: {
                                email: string;
                                full_name: string;
                                id: number;
                                is_mirror_dummy: boolean;
                            };
                            user_id: number;
                        }[];
                        recipient_id: number;
                        sender_email: string;
                        sender_full_name: string;
                        sender_id: number;
                        sender_realm_str: string;
                        stream_id?: number;
                        subject: string;
                        submessages: {
                            content: string;
                            id: number;
                            message_id: number;
                            msg_type: string;
                            sender_id: number;
                        }[];
                        timestamp: number;
                        topic_links: {
                            text: string;
                            url: string;
                        }[];
                        /** @enum {string} */
                        type: "stream" | "private";
                    }[];
                };
            };
            /** @description Fetches a single message. */
            "GET /messages/{message_id}": {
                params: {
                    /**
                     * @description false: an empty topic is replaced by its display name
                     * @default false
                     */
                    allow_empty_topic_name?: boolean;
                    /**
                     * @description content as HTML; false: as the Markdown that was sent
                     * @default true
                     */
                    apply_markdown?: boolean;
                    message_id: number;
                };
                result: {
                    message: {
                        avatar_url: string | null;
                        client: string;
                        content: string;
                        /** @enum {string} */
                        content_type: "text/html" | "text/x-markdown";
                        display_recipient: string | {
                            email: string;
                            full_name: string;
                            id: number;
                            is_mirror_dummy: boolean;
                        }[];
                        edit_history?: {
                            prev_content?: string;
                            prev_rendered_content?: string;
                            prev_stream?: number;
                            prev_topic?: string;
                            stream?: number;
                            timestamp: number;
                            topic?: string;
                            user_id: number | null;
                        }[];
                        readonly flags?: string[];
                        id: number;
                        is_me_message: boolean;
                        last_edit_timestamp?: number;
                        last_moved_timestamp?: number;
                        match_content?: string;
                        /** @description the linked files that have all searched words; absent without such a file */
                        match_files?: {
                            name: string;
                            url: string;
                        }[];
                        match_subject?: string;
                        reactions: {
                            emoji_code: string;
                            emoji_name: string;
                            reaction_type: string;
                            /** @description deprecated: the reactor, for clients that have older names */
                            user?: {
                                email: string;
                                full_name: string;
                                id: number;
                                is_mirror_dummy: boolean;
                            };
                            user_id: number;
                        }[];
                        recipient_id: number;
                        sender_email: string;
                        sender_full_name: string;
                        sender_id: number;
                        sender_realm_str: string;
                        stream_id?: number;
                        subject: string;
                        submessages: {
                            content: string;
                            id: number;
                            message_id: number;
                            msg_type: string;
                            sender_id: number;
                        }[];
                        timestamp: number;
                        topic_links: {
                            text: string;
                            url: string;
                        }[];
                        /** @enum {string} */
                        type: "stream" | "private";
                    };
                    raw_content: string;
                };
            };
            /** @description Lists the versions of a message, the original first. */
            "GET /messages/{message_id}/history": {
                params: {
                    /**
                     * @description false: an empty topic is replaced by its display name
                     * @default false
                     */
                    allow_empty_topic_name?: boolean;
                    message_id: number;
                };
                result: {
                    message_history: {
                        content: string;
                        content_html_diff?: string;
                        prev_content?: string;
                        prev_rendered_content?: string;
                        prev_stream?: number;
                        prev_topic?: string;
                        rendered_content: string;
                        stream?: number;
                        timestamp: number;
                        topic: string;
                        user_id: number | null;
                    }[];
                };
            };
            /** @description Lists the users who have read a message, without its sender and users who do not send read receipts. */
            "GET /messages/{message_id}/read_receipts": {
                params: {
                    message_id: number;
                };
                result: {
                    user_ids: number[];
                };
            };
            /** @description Tells which of the given messages, if the caller received them, match a narrow. */
            "GET /messages/matches_narrow": {
                params: {
                    msg_ids: number[];
                    /** @description the terms that all messages match. The operator mentions: Of feature level 446: later than the level that the server announces. */
                    narrow: (({
                        negated?: boolean;
                        operand: string | number | number[];
                        operator: string;
                    } & {
                        [key: string]: unknown;
                    }) | [
                        string,
                        string
                    ])[];
                };
                result: {
                    messages: {
                        [key: string]: {
                            match_content: string;
                            /** @description the linked files that have all searched words; absent without such a file */
                            match_files?: {
                                name: string;
                                url: string;
                            }[];
                            match_subject: string;
                        };
                    };
                };
            };
            /** @description Lists at most ten topics whose names begin with a text, the latest first: to propose while a user types. */
            "GET /messages/matching_topics": {
                params: {
                    /** @description compared without case */
                    begin: string;
                    /** @description without it: topics of the channels to which the caller is subscribed */
                    stream_id?: number;
                };
                result: {
                    topics: {
                        max_id: number;
                        name: string;
                        stream_id: number;
                    }[];
                };
            };
            /** @description Suggests searches with similar words in the place of mistyped ones, for a search that finds no or few messages. */
            "GET /messages/search_corrections": {
                params: {
                    /** @description the terms that all messages match. The operator mentions: Of feature level 446: later than the level that the server announces. */
                    narrow: (({
                        negated?: boolean;
                        operand: string | number | number[];
                        operator: string;
                    } & {
                        [key: string]: unknown;
                    }) | [
                        string,
                        string
                    ])[];
                };
                result: {
                    /** @description at most three, the most likely first; words of messages that the caller cannot read are not suggested */
                    corrections: {
                        /** @description the given terms with these words; the caller finds at least one message with them */
                        narrow: {
                            negated: boolean;
                            operand: unknown;
                            operator: string;
                        }[];
                        /** @description the words that were replaced, in lower case */
                        words: {
                            meant: string;
                            typed: string;
                        }[];
                    }[];
                };
            };
            /** @description Lists the caller's views. */
            "GET /navigation_views": {
                params: Record<string, never>;
                result: {
                    navigation_views: {
                        fragment: string;
                        is_pinned: boolean;
                        name: string | null;
                    }[];
                };
            };
            /** @description Lists administrative acts, newest first: who did what, when, from which address, with the rows before and after. */
            "GET /realm/audit_log": {
                params: {
                    /**
                     * @description lists acts with a lower id
                     * @default 9007199254740991
                     */
                    before?: number;
                    /** @default 100 */
                    limit?: number;
                };
                result: {
                    acts: {
                        /** @description the method and path of the endpoint */
                        action: string;
                        /** @description the IP address of the caller */
                        address: string;
                        changes: {
                            after: {
                                [key: string]: unknown;
                            } | null;
                            before: {
                                [key: string]: unknown;
                            } | null;
                            key: {
                                [key: string]: unknown;
                            };
                            table: string;
                        }[];
                        id: number;
                        /** @description UNIX seconds */
                        timestamp: number;
                        /** @description null: a caller without an account, or the command line */
                        user_id: number | null;
                    }[];
                };
            };
            /** @description Lists the domains of the organization. */
            "GET /realm/domains": {
                params: Record<string, never>;
                result: {
                    domains: {
                        allow_subdomains: boolean;
                        domain: string;
                    }[];
                };
            };
            /** @description Lists the custom emoji by id, deactivated ones included. */
            "GET /realm/emoji": {
                params: Record<string, never>;
                result: {
                    emoji: {
                        [key: string]: {
                            author_id: number | null;
                            deactivated: boolean;
                            id: string;
                            name: string;
                            source_url: string;
                            still_url: string | null;
                        };
                    };
                };
            };
            /** @description Lists the linkifiers in the older format, without those that it cannot express. */
            "GET /realm/filters": {
                params: Record<string, never>;
                result: {
                    filters: [
                        string,
                        string,
                        number
                    ][];
                };
            };
            /** @description Redirects to the organization's icon. */
            "GET /realm/icon": {
                params: Record<string, never>;
                result: Record<string, never>;
            };
            /** @description Lists the linkifiers in the order in which they are applied. */
            "GET /realm/linkifiers": {
                params: Record<string, never>;
                result: {
                    linkifiers: {
                        id: number;
                        pattern: string;
                        url_template: string;
                    }[];
                };
            };
            /** @description Redirects to a logo of the organization. */
            "GET /realm/logo": {
                params: {
                    /** @description true: the logo of the dark theme */
                    night: boolean;
                };
                result: Record<string, never>;
            };
            /** @description Lists the users who were recently active, with their presence. */
            "GET /realm/presence": {
                params: Record<string, never>;
                result: {
                    presences: {
                        [key: string]: {
                            aggregated: {
                                /** @constant */
                                client: "website";
                                /** @enum {string} */
                                status: "active" | "idle" | "offline";
                                timestamp: number;
                            };
                            website: {
                                /** @constant */
                                client: "website";
                                /** @constant */
                                pushable: false;
                                /** @enum {string} */
                                status: "active" | "idle" | "offline";
                                timestamp: number;
                            };
                        };
                    };
                    server_timestamp: number;
                };
            };
            /** @description Lists the profile fields in their order. */
            "GET /realm/profile_fields": {
                params: Record<string, never>;
                result: {
                    custom_fields: {
                        /** @constant */
                        display_in_profile_summary?: true;
                        editable_by_user: boolean;
                        field_data: string;
                        hint: string;
                        id: number;
                        name: string;
                        order: number;
                        required: boolean;
                        type: number;
                    }[];
                };
            };
            /** @description Lists the caller's reminders that were not sent yet. */
            "GET /reminders": {
                params: Record<string, never>;
                result: {
                    reminders: {
                        content: string;
                        /** @constant */
                        failed: false;
                        reminder_id: number;
                        reminder_target_message_id: number;
                        rendered_content: string;
                        scheduled_delivery_timestamp: number;
                        to: number[];
                        /** @constant */
                        type: "private";
                    }[];
                };
            };
            /** @description Lists the caller’s saved snippets. */
            "GET /saved_snippets": {
                params: Record<string, never>;
                result: {
                    saved_snippets: {
                        content: string;
                        date_created: number;
                        id: number;
                        title: string;
                    }[];
                };
            };
            /** @description Lists the messages that the caller has scheduled, by the time of delivery. */
            "GET /scheduled_messages": {
                params: Record<string, never>;
                result: {
                    scheduled_messages: {
                        content: string;
                        failed: boolean;
                        rendered_content: string;
                        scheduled_delivery_timestamp: number;
                        scheduled_message_id: number;
                        to: number | number[];
                        topic?: string;
                        /** @enum {string} */
                        type: "stream" | "private";
                    }[];
                };
            };
            /** @description Gets the version of the server, the organization at this address, and its login methods. */
            "GET /server_settings": {
                params: Record<string, never>;
                result: {
                    api_feature_level: number;
                    authentication_methods: {
                        apple: boolean;
                        azuread: boolean;
                        dev: boolean;
                        email: boolean;
                        github: boolean;
                        gitlab: boolean;
                        google: boolean;
                        ldap: boolean;
                        "openid connect": boolean;
                        password: boolean;
                        remoteuser: boolean;
                        saml: boolean;
                    };
                    email_auth_enabled: boolean;
                    external_authentication_methods?: {
                        display_icon: string | null;
                        display_name: string;
                        login_url: string;
                        name: string;
                        signup_url: string;
                    }[];
                    is_incompatible: boolean;
                    push_notifications_enabled: boolean;
                    /** @description HTML */
                    realm_description?: string;
                    realm_icon?: string;
                    realm_name?: string;
                    realm_uri?: string;
                    realm_url?: string;
                    realm_web_public_access_enabled?: boolean;
                    require_email_format_usernames: boolean;
                    zulip_feature_level: number;
                    zulip_merge_base: string;
                    zulip_version: string;
                };
            };
            /** @description Lists the sessions of the account, in which browsers are logged in. */
            "GET /sessions": {
                params: Record<string, never>;
                result: {
                    sessions: {
                        /** @description UNIX seconds */
                        created_at: number;
                        id: number;
                        /** @description the address from which the session began */
                        ip: string;
                        is_current: boolean;
                        /** @description UNIX seconds; up to a minute late */
                        last_used_at: number;
                        /** @description the program that began the session */
                        user_agent: string;
                    }[];
                };
            };
            /** @description Tells with which account the browser's session acts. */
            "GET /sessions/current": {
                params: Record<string, never>;
                result: {
                    /** @description for the header X-CSRF-Token of each call of this session that is not a GET */
                    csrf_token: string;
                    /** @description the real address */
                    email: string;
                    user_id: number;
                };
            };
            /** @description Lists accounts with which a browser logs in without a password; on development servers only. */
            "GET /sessions/demo": {
                params: Record<string, never>;
                result: {
                    users: {
                        avatar_url: string | null;
                        email: string;
                        full_name: string;
                        role: number;
                        user_id: number;
                    }[];
                };
            };
            /** @description Tells whether the browser has a session, also where it has none: a page asks this before it shows a log-in. */
            "GET /sessions/state": {
                params: Record<string, never>;
                result: {
                    /** @description whether GET /sessions/demo lists accounts */
                    has_demo_accounts: boolean;
                    /** @description whether GET /sessions/current would name an account */
                    is_logged_in: boolean;
                };
            };
            /** @description Lists channels by name: the union of what the parameters include. */
            "GET /streams": {
                params: {
                    /** @default true */
                    exclude_archived?: boolean;
                    /**
                     * @description every channel whose metadata the caller has access to
                     * @default false
                     */
                    include_all?: boolean;
                    /**
                     * @description an older name of include_all, for administrators
                     * @default false
                     */
                    include_all_active?: boolean;
                    /** @default false */
                    include_can_access_content?: boolean;
                    /**
                     * @description adds the default channels, and to each channel whether it is one
                     * @default false
                     */
                    include_default?: boolean;
                    /** @default false */
                    include_owner_subscribed?: boolean;
                    /** @default true */
                    include_public?: boolean;
                    /** @default true */
                    include_subscribed?: boolean;
                    /** @default false */
                    include_web_public?: boolean;
                };
                result: {
                    streams: {
                        can_add_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_administer_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 441: later than the level that the server announces. */
                        can_create_topic_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_any_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_own_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_out_of_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_within_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_remove_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 402: later than the level that the server announces. */
                        can_resolve_topics_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_send_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_subscribe_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        creator_id: number | null;
                        date_created: number;
                        description: string;
                        first_message_id: number | null;
                        folder_id: number | null;
                        history_public_to_subscribers: boolean;
                        invite_only: boolean;
                        is_announcement_only: boolean;
                        is_archived: boolean;
                        is_default?: boolean;
                        is_recently_active: boolean;
                        is_web_public: boolean;
                        message_retention_days: number | null;
                        name: string;
                        rendered_description: string;
                        stream_id: number;
                        stream_post_policy: number;
                        stream_weekly_traffic: number | null;
                        subscriber_count: number;
                        /**
                         * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                         * @enum {string}
                         */
                        topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                    }[];
                };
            };
            /** @description Gets a channel. */
            "GET /streams/{stream_id}": {
                params: {
                    stream_id: number;
                };
                result: {
                    stream: {
                        can_add_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_administer_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 441: later than the level that the server announces. */
                        can_create_topic_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_any_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_own_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_out_of_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_within_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_remove_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 402: later than the level that the server announces. */
                        can_resolve_topics_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_send_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_subscribe_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        creator_id: number | null;
                        date_created: number;
                        description: string;
                        first_message_id: number | null;
                        folder_id: number | null;
                        history_public_to_subscribers: boolean;
                        invite_only: boolean;
                        is_announcement_only: boolean;
                        is_archived: boolean;
                        is_recently_active: boolean;
                        is_web_public: boolean;
                        message_retention_days: number | null;
                        name: string;
                        rendered_description: string;
                        stream_id: number;
                        stream_post_policy: number;
                        stream_weekly_traffic: number | null;
                        subscriber_count: number;
                        /**
                         * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                         * @enum {string}
                         */
                        topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                    };
                };
            };
            /** @description Gets the email address of a channel. It is empty, because this server does not receive mail. */
            "GET /streams/{stream_id}/email_address": {
                params: {
                    /** @description the id of the sender of such a mail: the caller, or one of the bots that the caller owns */
                    sender_id?: number;
                    stream_id: number;
                };
                result: {
                    email: string;
                };
            };
            /** @description Lists the ids of the active users who are subscribed to a channel. */
            "GET /streams/{stream_id}/members": {
                params: {
                    stream_id: number;
                };
                result: {
                    subscribers: number[];
                };
            };
            /** @description Returns, with HEAD, how many bytes of an upload were received (tus 1.0). */
            "GET /tus/{upload_id}": {
                params: {
                    upload_id: string;
                };
                result: Record<string, never>;
            };
            /** @description Lists the user groups by id, system groups included. */
            "GET /user_groups": {
                params: {
                    /** @default false */
                    include_deactivated_groups?: boolean;
                };
                result: {
                    user_groups: {
                        can_add_members_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_join_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_leave_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_manage_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_mention_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_remove_members_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        creator_id: number | null;
                        date_created: number | null;
                        deactivated: boolean;
                        description: string;
                        direct_subgroup_ids: number[];
                        id: number;
                        is_system_group: boolean;
                        members: number[];
                        name: string;
                    }[];
                };
            };
            /** @description Lists the active accounts in a user group, those of its subgroups included. */
            "GET /user_groups/{user_group_id}/members": {
                params: {
                    /** @default false */
                    direct_member_only?: boolean;
                    user_group_id: number;
                };
                result: {
                    members: number[];
                };
            };
            /** @description Tells whether an account is in a user group. */
            "GET /user_groups/{user_group_id}/members/{user_id}": {
                params: {
                    /** @default false */
                    direct_member_only?: boolean;
                    user_group_id: number;
                    user_id: number;
                };
                result: {
                    is_user_group_member: boolean;
                };
            };
            /** @description Lists the subgroups of a user group, at any depth. */
            "GET /user_groups/{user_group_id}/subgroups": {
                params: {
                    /** @default false */
                    direct_subgroup_only?: boolean;
                    user_group_id: number;
                };
                result: {
                    subgroups: number[];
                };
            };
            /** @description Returns a URL of an uploaded file that needs no credentials and is valid for a minute. */
            "GET /user_uploads/{realm_id}/{path}": {
                params: {
                    path: string;
                    realm_id: number;
                };
                result: {
                    url: string;
                };
            };
            /** @description Lists accounts, deactivated ones and bots included. */
            "GET /users": {
                params: {
                    /**
                     * @description omits the URL of avatars that the client can compute
                     * @default true
                     */
                    client_gravatar?: boolean;
                    /** @default false */
                    include_custom_profile_fields?: boolean;
                    /** @description default: all accounts */
                    user_ids?: number[];
                };
                result: {
                    members: ({
                        avatar_url: string | null;
                        avatar_version: number;
                        bot_owner_id?: number | null;
                        bot_type: number | null;
                        date_joined: string;
                        delivery_email: string | null;
                        email: string;
                        full_name: string;
                        is_active: boolean;
                        is_admin: boolean;
                        is_bot: boolean;
                        is_guest: boolean;
                        is_owner: boolean;
                        /** @constant */
                        is_system_bot?: true;
                        profile_data?: {
                            [key: string]: {
                                rendered_value?: string;
                                value: string;
                            };
                        };
                        role: number;
                        timezone: string;
                        user_id: number;
                    } | {
                        avatar_url: string | null;
                        avatar_version: number;
                        bot_owner_id?: number | null;
                        bot_type: number | null;
                        date_joined: string;
                        delivery_email: string | null;
                        email: string;
                        full_name: string;
                        is_active: boolean;
                        is_admin: boolean;
                        is_bot: boolean;
                        is_guest: boolean;
                        is_owner: boolean;
                        /** @constant */
                        is_system_bot?: true;
                        role: number;
                        timezone: string;
                        user_id: number;
                    })[];
                };
            };
            /** @description Gets an account by its API address, or by the real one if the caller may see it. */
            "GET /users/{email}": {
                params: {
                    /**
                     * @description omits the URL of avatars that the client can compute
                     * @default true
                     */
                    client_gravatar?: boolean;
                    email: string;
                    /** @default false */
                    include_custom_profile_fields?: boolean;
                };
                result: {
                    user: {
                        avatar_url: string | null;
                        avatar_version: number;
                        bot_owner_id?: number | null;
                        bot_type: number | null;
                        date_joined: string;
                        delivery_email: string | null;
                        email: string;
                        full_name: string;
                        is_active: boolean;
                        is_admin: boolean;
                        is_bot: boolean;
                        is_guest: boolean;
                        is_owner: boolean;
                        /** @constant */
                        is_system_bot?: true;
                        profile_data?: {
                            [key: string]: {
                                rendered_value?: string;
                                value: string;
                            };
                        };
                        role: number;
                        timezone: string;
                        user_id: number;
                    };
                };
            };
            /** @description Gets the presence of a user. */
            "GET /users/{user_id_or_email}/presence": {
                params: {
                    user_id_or_email: string;
                };
                result: {
                    presence: {
                        aggregated: {
                            /** @enum {string} */
                            status: "active" | "idle" | "offline";
                            timestamp: number;
                        };
                        website: {
                            /** @enum {string} */
                            status: "active" | "idle" | "offline";
                            timestamp: number;
                        };
                    };
                };
            };
            /** @description Gets an account by its id. */
            "GET /users/{user_id}": {
                params: {
                    /**
                     * @description omits the URL of avatars that the client can compute
                     * @default true
                     */
                    client_gravatar?: boolean;
                    /** @default false */
                    include_custom_profile_fields?: boolean;
                    user_id: number;
                };
                result: {
                    user: {
                        avatar_url: string | null;
                        avatar_version: number;
                        bot_owner_id?: number | null;
                        bot_type: number | null;
                        date_joined: string;
                        delivery_email: string | null;
                        email: string;
                        full_name: string;
                        is_active: boolean;
                        is_admin: boolean;
                        is_bot: boolean;
                        is_guest: boolean;
                        is_owner: boolean;
                        /** @constant */
                        is_system_bot?: true;
                        profile_data?: {
                            [key: string]: {
                                rendered_value?: string;
                                value: string;
                            };
                        };
                        role: number;
                        timezone: string;
                        user_id: number;
                    };
                };
            };
            /** @description Lists the channels to which a user is subscribed, as far as they exist for the caller. */
            "GET /users/{user_id}/channels": {
                params: {
                    user_id: number;
                };
                result: {
                    /** @description ascending, also archived channels */
                    subscribed_channel_ids: number[];
                };
            };
            /** @description Gets the status of a user. */
            "GET /users/{user_id}/status": {
                params: {
                    user_id: number;
                };
                result: {
                    status: {
                        /** @constant */
                        away?: true;
                        emoji_code?: string;
                        emoji_name?: string;
                        reaction_type?: string;
                        /** @description when it ends by itself, in UNIX seconds */
                        scheduled_end_time?: number;
                        status_text?: string;
                    };
                };
            };
            /** @description Tells whether a user is subscribed to a channel. */
            "GET /users/{user_id}/subscriptions/{stream_id}": {
                params: {
                    stream_id: number;
                    user_id: number;
                };
                result: {
                    is_subscribed: boolean;
                };
            };
            /** @description Gets the caller's own account. */
            "GET /users/me": {
                params: Record<string, never>;
                result: {
                    avatar_url: string;
                    avatar_version: number;
                    bot_owner_id?: number | null;
                    bot_type: number | null;
                    date_joined: string;
                    delivery_email: string | null;
                    email: string;
                    full_name: string;
                    is_active: boolean;
                    is_admin: boolean;
                    is_bot: boolean;
                    is_guest: boolean;
                    is_owner: boolean;
                    /** @constant */
                    is_system_bot?: true;
                    max_message_id: number;
                    profile_data?: {
                        [key: string]: {
                            rendered_value?: string;
                            value: string;
                        };
                    };
                    role: number;
                    timezone: string;
                    user_id: number;
                };
            };
            /** @description Lists the topics of a channel, the latest first. */
            "GET /users/me/{stream_id}/topics": {
                params: {
                    /**
                     * @description false: an empty topic is replaced by its display name
                     * @default false
                     */
                    allow_empty_topic_name?: boolean;
                    stream_id: number;
                };
                result: {
                    topics: {
                        max_id: number;
                        name: string;
                    }[];
                };
            };
            /** @description Lists the caller’s alert words. */
            "GET /users/me/alert_words": {
                params: Record<string, never>;
                result: {
                    alert_words: string[];
                };
            };
            /** @description Lists the channels that the caller is subscribed to, by name. */
            "GET /users/me/subscriptions": {
                params: {
                    /**
                     * @description `partial` is the same as true. Of feature level 412: later than the level that the server announces.
                     * @default false
                     */
                    include_subscribers?: boolean | "partial";
                };
                result: {
                    subscriptions: {
                        audible_notifications: boolean | null;
                        can_add_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_administer_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 441: later than the level that the server announces. */
                        can_create_topic_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_any_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_own_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_out_of_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_within_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_remove_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 402: later than the level that the server announces. */
                        can_resolve_topics_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_send_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_subscribe_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        color: string;
                        creator_id: number | null;
                        date_created: number;
                        description: string;
                        desktop_notifications: boolean | null;
                        email_notifications: boolean | null;
                        first_message_id: number | null;
                        folder_id: number | null;
                        history_public_to_subscribers: boolean;
                        in_home_view: boolean;
                        invite_only: boolean;
                        is_announcement_only: boolean;
                        is_archived: boolean;
                        is_muted: boolean;
                        is_recently_active: boolean;
                        is_web_public: boolean;
                        message_retention_days: number | null;
                        name: string;
                        pin_to_top: boolean;
                        push_notifications: boolean | null;
                        rendered_description: string;
                        stream_id: number;
                        stream_post_policy: number;
                        stream_weekly_traffic: number | null;
                        subscriber_count: number;
                        subscribers?: number[];
                        /**
                         * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                         * @enum {string}
                         */
                        topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                        wildcard_mentions_notify: boolean | null;
                    }[];
                };
            };
            /** @description Changes a bot. */
            "PATCH /bots/{bot_id}": {
                params: {
                    bot_id: number;
                    bot_owner_id?: number;
                    config_data?: {
                        [key: string]: string;
                    };
                    default_all_public_streams?: boolean;
                    /** @description a channel by name; empty for none */
                    default_events_register_stream?: string;
                    /** @description a channel by name; empty for none */
                    default_sending_stream?: string;
                    full_name?: string;
                    /** @enum {integer} */
                    role?: 100 | 200 | 300 | 400 | 600;
                    /** @default 1 */
                    service_interface?: number;
                    service_payload_url?: string;
                };
                result: {
                    avatar_url: string;
                    /** @description the owner's API address */
                    bot_owner?: string;
                    config_data: {
                        [key: string]: string;
                    };
                    default_all_public_streams: boolean;
                    default_events_register_stream: string | null;
                    default_sending_stream: string | null;
                    full_name: string;
                    service_interface: number;
                    service_payload_url: string | null;
                };
            };
            /** @description Changes the order in which clients show the folders. */
            "PATCH /channel_folders": {
                params: {
                    /** @description the IDs of all folders, also of archived ones */
                    order: number[];
                };
                result: Record<string, never>;
            };
            /** @description Changes the name or the description of a folder, archives it, or takes it out of the archive. */
            "PATCH /channel_folders/{channel_folder_id}": {
                params: {
                    channel_folder_id: number;
                    description?: string;
                    is_archived?: boolean;
                    name?: string;
                };
                result: Record<string, never>;
            };
            /** @description Changes the name or the description of a group of default channels. */
            "PATCH /default_stream_groups/{group_id}": {
                params: {
                    group_id: number;
                    new_description?: string;
                    new_group_name?: string;
                };
                result: Record<string, never>;
            };
            /** @description Adds channels to a group of default channels, or removes them from it. */
            "PATCH /default_stream_groups/{group_id}/streams": {
                params: {
                    group_id: number;
                    /** @description `add` or `remove` */
                    op: string;
                    stream_names: string[];
                };
                result: Record<string, never>;
            };
            /** @description Replaces a draft. */
            "PATCH /drafts/{draft_id}": {
                params: {
                    draft: {
                        content: string;
                        timestamp?: number;
                        to: number[];
                        topic: string;
                        /** @enum {string} */
                        type: "" | "stream" | "private";
                    };
                    draft_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Changes the text of a message, or moves it, alone or with other messages of its topic. */
            "PATCH /messages/{message_id}": {
                params: {
                    content?: string;
                    message_id: number;
                    /** @description SHA-256 of the text that the edit replaces, in lower-case hex */
                    prev_content_sha256?: string;
                    /**
                     * @default change_one
                     * @enum {string}
                     */
                    propagate_mode?: "change_one" | "change_later" | "change_all";
                    /** @default true */
                    send_notification_to_new_thread?: boolean;
                    /** @default false */
                    send_notification_to_old_thread?: boolean;
                    stream_id?: number;
                    /** @description also accepted as `subject` */
                    topic?: string;
                };
                result: {
                    /** @description the caller's files to which no message links any more */
                    detached_uploads: {
                        /** @description UNIX milliseconds */
                        create_time: number;
                        id: number;
                        messages: {
                            /** @description UNIX milliseconds */
                            date_sent: number;
                            id: number;
                        }[];
                        name: string;
                        path_id: string;
                        size: number;
                    }[];
                };
            };
            /** @description Changes a view. */
            "PATCH /navigation_views/{fragment}": {
                params: {
                    fragment: string;
                    /** @description true: in the sidebar; false: in the menu of more views */
                    is_pinned?: boolean;
                    name?: string | null;
                };
                result: Record<string, never>;
            };
            /** @description Changes settings of the organization. */
            "PATCH /realm": {
                params: {
                    allow_message_editing?: boolean;
                    authentication_methods?: {
                        [key: string]: boolean;
                    };
                    avatar_changes_disabled?: boolean;
                    can_access_all_users_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_add_custom_emoji_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_add_subscribers_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_create_bots_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_create_groups?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_create_private_channel_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_create_public_channel_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_create_web_public_channel_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_create_write_only_bots_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_delete_any_message_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_delete_own_message_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_invite_users_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_manage_all_groups?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_manage_billing_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_mention_many_users_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_move_messages_between_channels_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_move_messages_between_topics_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_resolve_topics_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_set_delete_message_policy_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_set_topics_policy_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_summarize_topics_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    create_multiuse_invite_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    /**
                     * @description Of feature level 456: later than the level that the server announces.
                     * @enum {string}
                     */
                    default_avatar_source?: "G" | "J";
                    default_code_block_language?: string;
                    default_language?: string;
                    description?: string;
                    digest_emails_enabled?: boolean;
                    /**
                     * @description 0 is Monday
                     * @enum {integer}
                     */
                    digest_weekday?: 0 | 1 | 2 | 3 | 4 | 5 | 6;
                    direct_message_initiator_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    direct_message_permission_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    disallow_disposable_email_addresses?: boolean;
                    email_changes_disabled?: boolean;
                    emails_restricted_to_domains?: boolean;
                    enable_guest_user_dm_warning?: boolean;
                    enable_guest_user_indicator?: boolean;
                    enable_read_receipts?: boolean;
                    enable_spectator_access?: boolean;
                    giphy_rating?: number;
                    inline_image_preview?: boolean;
                    inline_url_embed_preview?: boolean;
                    invite_required?: boolean;
                    /** @description or `default` */
                    jitsi_server_url?: string;
                    message_content_allowed_in_email_notifications?: boolean;
                    /** @description a positive number, or `unlimited` */
                    message_content_delete_limit_seconds?: string | number;
                    /** @description a positive number, or `unlimited` */
                    message_content_edit_limit_seconds?: string | number;
                    /** @enum {string} */
                    message_edit_history_visibility_policy?: "all" | "moves" | "none";
                    /** @description a positive number, or `unlimited` */
                    message_retention_days?: string | number;
                    /** @description a channel, or -1 */
                    moderation_request_channel_id?: number;
                    /** @description a positive number, or `unlimited` */
                    move_messages_between_streams_limit_seconds?: string | number;
                    /** @description a positive number, or `unlimited` */
                    move_messages_within_stream_limit_seconds?: string | number;
                    name?: string;
                    name_changes_disabled?: boolean;
                    /** @description a channel, or -1 */
                    new_stream_announcements_stream_id?: number;
                    /** @enum {integer} */
                    org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000;
                    require_unique_names?: boolean;
                    /** @description Of feature level 434: later than the level that the server announces. */
                    send_channel_events_messages?: boolean;
                    send_welcome_emails?: boolean;
                    /** @description a channel, or -1 */
                    signup_announcements_stream_id?: number;
                    string_id?: string;
                    /** @enum {string} */
                    topics_policy?: "allow_empty_topic" | "disable_empty_topic";
                    video_chat_provider?: number;
                    /** @description days */
                    waiting_period_threshold?: number;
                    want_advertise_in_communities_directory?: boolean;
                    /** @description Of feature level 416: later than the level that the server announces. */
                    welcome_message_custom_text?: string;
                    /** @description a channel, or -1 */
                    zulip_update_announcements_stream_id?: number;
                };
                result: {
                    allow_message_editing?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    authentication_methods?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    avatar_changes_disabled?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_access_all_users_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_add_custom_emoji_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_add_subscribers_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_create_bots_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_create_groups?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_create_private_channel_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_create_public_channel_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_create_web_public_channel_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_create_write_only_bots_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_delete_any_message_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_delete_own_message_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_invite_users_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_manage_all_groups?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_manage_billing_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_mention_many_users_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_move_messages_between_channels_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_move_messages_between_topics_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_resolve_topics_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_set_delete_message_policy_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_set_topics_policy_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    can_summarize_topics_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    create_multiuse_invite_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    default_avatar_source?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    default_code_block_language?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    default_language?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    description?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    digest_emails_enabled?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    digest_weekday?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    direct_message_initiator_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    direct_message_permission_group?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    disallow_disposable_email_addresses?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    email_changes_disabled?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    emails_restricted_to_domains?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    enable_guest_user_dm_warning?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    enable_guest_user_indicator?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    enable_read_receipts?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    enable_spectator_access?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    giphy_rating?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    inline_image_preview?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    inline_url_embed_preview?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    invite_required?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    jitsi_server_url?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    message_content_allowed_in_email_notifications?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    message_content_delete_limit_seconds?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    message_content_edit_limit_seconds?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    message_edit_history_visibility_policy?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    message_retention_days?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    moderation_request_channel_id?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    move_messages_between_streams_limit_seconds?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    move_messages_within_stream_limit_seconds?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    name?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    name_changes_disabled?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    new_stream_announcements_stream_id?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    org_type?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    require_unique_names?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    send_channel_events_messages?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    send_welcome_emails?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    signup_announcements_stream_id?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    topics_policy?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    video_chat_provider?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    waiting_period_threshold?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    want_advertise_in_communities_directory?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    welcome_message_custom_text?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    zulip_update_announcements_stream_id?: "updated" | boolean | number | null | (number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    }) | {
                        [key: string]: boolean | {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                };
            };
            /** @description Sets whether addresses of subdomains are accepted. */
            "PATCH /realm/domains/{domain}": {
                params: {
                    allow_subdomains: boolean;
                    domain: string;
                };
                result: Record<string, never>;
            };
            /** @description Changes a linkifier. */
            "PATCH /realm/filters/{filter_id}": {
                params: {
                    filter_id: number;
                    /** @description a regular expression of RE2, with named groups; at most 2600 bytes */
                    pattern: string;
                    /** @description RFC 6570, with the named groups as variables */
                    url_template: string;
                };
                result: Record<string, never>;
            };
            /** @description Changes the order of the linkifiers. */
            "PATCH /realm/linkifiers": {
                params: {
                    ordered_linkifier_ids: number[];
                };
                result: Record<string, never>;
            };
            /** @description Changes the order of the profile fields. */
            "PATCH /realm/profile_fields": {
                params: {
                    /** @description ids of all fields */
                    order: number[];
                };
                result: Record<string, never>;
            };
            /** @description Changes a profile field. Choices that are left out are removed from all profiles. */
            "PATCH /realm/profile_fields/{field_id}": {
                params: {
                    display_in_profile_summary?: boolean;
                    editable_by_user?: boolean;
                    /** @description of type 3 the choices: by key, `text` and `order`; of type 7 `subtype`, with `custom` also `url_pattern` */
                    field_data?: {
                        [key: string]: unknown;
                    };
                    field_id: number;
                    hint?: string;
                    name?: string;
                    required?: boolean;
                };
                result: Record<string, never>;
            };
            /** @description Changes the default settings of new accounts. */
            "PATCH /realm/user_settings_defaults": {
                params: {
                    /** @enum {integer} */
                    automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
                    automatically_follow_topics_where_mentioned?: boolean;
                    /** @enum {integer} */
                    automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
                    /** @enum {integer} */
                    color_scheme?: 1 | 2 | 3;
                    /** @enum {integer} */
                    demote_inactive_streams?: 1 | 2 | 3;
                    /** @enum {integer} */
                    desktop_icon_count_display?: 1 | 2 | 3 | 4;
                    display_emoji_reaction_users?: boolean;
                    /** @enum {integer} */
                    email_address_visibility?: 1 | 2 | 3 | 4 | 5;
                    email_notifications_batching_period_seconds?: number;
                    /** @enum {string} */
                    emojiset?: "set_a" | "set_b" | "set_c" | "text" | "google" | "google-blob" | "twitter";
                    enable_desktop_notifications?: boolean;
                    enable_digest_emails?: boolean;
                    enable_drafts_synchronization?: boolean;
                    enable_followed_topic_audible_notifications?: boolean;
                    enable_followed_topic_desktop_notifications?: boolean;
                    enable_followed_topic_email_notifications?: boolean;
                    enable_followed_topic_push_notifications?: boolean;
                    enable_followed_topic_wildcard_mentions_notify?: boolean;
                    enable_offline_email_notifications?: boolean;
                    enable_offline_push_notifications?: boolean;
                    enable_online_push_notifications?: boolean;
                    enable_sounds?: boolean;
                    enable_stream_audible_notifications?: boolean;
                    enable_stream_desktop_notifications?: boolean;
                    enable_stream_email_notifications?: boolean;
                    enable_stream_push_notifications?: boolean;
                    enter_sends?: boolean;
                    fluid_layout_width?: boolean;
                    hide_ai_features?: boolean;
                    high_contrast_mode?: boolean;
                    left_side_userlist?: boolean;
                    message_content_in_email_notifications?: boolean;
                    notification_sound?: string;
                    pm_content_in_desktop_notifications?: boolean;
                    presence_enabled?: boolean;
                    /** @enum {integer} */
                    realm_name_in_email_notifications_policy?: 1 | 2 | 3;
                    receives_typing_notifications?: boolean;
                    /** @enum {string} */
                    resolved_topic_notice_auto_read_policy?: "always" | "except_followed" | "never";
                    send_private_typing_notifications?: boolean;
                    send_read_receipts?: boolean;
                    send_stream_typing_notifications?: boolean;
                    starred_message_counts?: boolean;
                    translate_emoticons?: boolean;
                    twenty_four_hour_time?: boolean;
                    /** @enum {integer} */
                    user_list_style?: 1 | 2 | 3;
                    /** @enum {string} */
                    web_animate_image_previews?: "always" | "on_hover" | "never";
                    /**
                     * @description 4: Of feature level 401: later than the level that the server announces.
                     * @enum {integer}
                     */
                    web_channel_default_view?: 1 | 2 | 3 | 4;
                    web_escape_navigates_to_home_view?: boolean;
                    web_font_size_px?: number;
                    /** @enum {string} */
                    web_home_view?: "inbox" | "recent_topics" | "all_messages";
                    /** @description Of feature level 431: later than the level that the server announces. */
                    web_inbox_show_channel_folders?: boolean;
                    /** @description Of feature level 411: later than the level that the server announces. */
                    web_left_sidebar_show_channel_folders?: boolean;
                    web_left_sidebar_unreads_count_summary?: boolean;
                    web_line_height_percent?: number;
                    /** @enum {integer} */
                    web_mark_read_on_scroll_policy?: 1 | 2 | 3;
                    web_navigate_to_sent_message?: boolean;
                    /** @enum {integer} */
                    web_stream_unreads_count_display_policy?: 1 | 2 | 3;
                    web_suggest_update_timezone?: boolean;
                    wildcard_mentions_notify?: boolean;
                };
                result: Record<string, never>;
            };
            /** @description Changes a saved snippet. */
            "PATCH /saved_snippets/{saved_snippet_id}": {
                params: {
                    content?: string;
                    saved_snippet_id: number;
                    title?: string;
                };
                result: Record<string, never>;
            };
            /** @description Changes a scheduled message. */
            "PATCH /scheduled_messages/{scheduled_message_id}": {
                params: {
                    content?: string;
                    read_by_sender?: boolean;
                    /** @description UNIX seconds */
                    scheduled_delivery_timestamp?: number;
                    scheduled_message_id: number;
                    /** @description the id of a channel, or a list of user ids */
                    to?: number | number[];
                    /** @description also accepted as `subject` */
                    topic?: string;
                    /** @enum {string} */
                    type?: "stream" | "channel" | "private" | "direct";
                };
                result: Record<string, never>;
            };
            /** @description Changes the caller's own settings. */
            "PATCH /settings": {
                params: {
                    allow_private_data_export?: boolean;
                    /** @enum {integer} */
                    automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
                    automatically_follow_topics_where_mentioned?: boolean;
                    /** @enum {integer} */
                    automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
                    /** @enum {integer} */
                    color_scheme?: 1 | 2 | 3;
                    default_language?: string;
                    /** @enum {integer} */
                    demote_inactive_streams?: 1 | 2 | 3;
                    /** @enum {integer} */
                    desktop_icon_count_display?: 1 | 2 | 3 | 4;
                    display_emoji_reaction_users?: boolean;
                    /**
                     * @description the user must confirm it by mail
                     * @default
                     */
                    email?: string;
                    /** @enum {integer} */
                    email_address_visibility?: 1 | 2 | 3 | 4 | 5;
                    email_notifications_batching_period_seconds?: number;
                    /** @enum {string} */
                    emojiset?: "set_a" | "set_b" | "set_c" | "text" | "google" | "google-blob" | "twitter";
                    enable_desktop_notifications?: boolean;
                    enable_digest_emails?: boolean;
                    enable_drafts_synchronization?: boolean;
                    enable_followed_topic_audible_notifications?: boolean;
                    enable_followed_topic_desktop_notifications?: boolean;
                    enable_followed_topic_email_notifications?: boolean;
                    enable_followed_topic_push_notifications?: boolean;
                    enable_followed_topic_wildcard_mentions_notify?: boolean;
                    enable_login_emails?: boolean;
                    enable_marketing_emails?: boolean;
                    enable_offline_email_notifications?: boolean;
                    enable_offline_push_notifications?: boolean;
                    enable_online_push_notifications?: boolean;
                    enable_sounds?: boolean;
                    enable_stream_audible_notifications?: boolean;
                    enable_stream_desktop_notifications?: boolean;
                    enable_stream_email_notifications?: boolean;
                    enable_stream_push_notifications?: boolean;
                    enter_sends?: boolean;
                    fluid_layout_width?: boolean;
                    full_name?: string;
                    hide_ai_features?: boolean;
                    high_contrast_mode?: boolean;
                    left_side_userlist?: boolean;
                    message_content_in_email_notifications?: boolean;
                    /**
                     * @description requires old_password; the API key changes too, and the new one is at POST /fetch_api_key
                     * @default
                     */
                    new_password?: string;
                    notification_sound?: string;
                    /** @default  */
                    old_password?: string;
                    pm_content_in_desktop_notifications?: boolean;
                    presence_enabled?: boolean;
                    /** @enum {integer} */
                    realm_name_in_email_notifications_policy?: 1 | 2 | 3;
                    receives_typing_notifications?: boolean;
                    /** @enum {string} */
                    resolved_topic_notice_auto_read_policy?: "always" | "except_followed" | "never";
                    send_private_typing_notifications?: boolean;
                    send_read_receipts?: boolean;
                    send_stream_typing_notifications?: boolean;
                    starred_message_counts?: boolean;
                    /** @description of the IANA data, like `Europe/Berlin` */
                    timezone?: string;
                    translate_emoticons?: boolean;
                    twenty_four_hour_time?: boolean;
                    /** @enum {integer} */
                    user_list_style?: 1 | 2 | 3;
                    /** @enum {string} */
                    web_animate_image_previews?: "always" | "on_hover" | "never";
                    /**
                     * @description 4: Of feature level 401: later than the level that the server announces.
                     * @enum {integer}
                     */
                    web_channel_default_view?: 1 | 2 | 3 | 4;
                    web_escape_navigates_to_home_view?: boolean;
                    web_font_size_px?: number;
                    /** @enum {string} */
                    web_home_view?: "inbox" | "recent_topics" | "all_messages";
                    /** @description Of feature level 431: later than the level that the server announces. */
                    web_inbox_show_channel_folders?: boolean;
                    /** @description Of feature level 411: later than the level that the server announces. */
                    web_left_sidebar_show_channel_folders?: boolean;
                    web_left_sidebar_unreads_count_summary?: boolean;
                    web_line_height_percent?: number;
                    /** @enum {integer} */
                    web_mark_read_on_scroll_policy?: 1 | 2 | 3;
                    web_navigate_to_sent_message?: boolean;
                    /** @enum {integer} */
                    web_stream_unreads_count_display_policy?: 1 | 2 | 3;
                    web_suggest_update_timezone?: boolean;
                    wildcard_mentions_notify?: boolean;
                };
                result: Record<string, never>;
            };
            /** @description Changes properties of a channel, or takes it out of the archive. */
            "PATCH /streams/{stream_id}": {
                params: {
                    can_add_subscribers_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_administer_channel_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    /** @description Of feature level 441: later than the level that the server announces. */
                    can_create_topic_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_any_message_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_own_message_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_move_messages_out_of_channel_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_move_messages_within_channel_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_remove_subscribers_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    /** @description Of feature level 402: later than the level that the server announces. */
                    can_resolve_topics_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_send_message_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_subscribe_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    description?: string;
                    /** @description null takes the channel out of its folder */
                    folder_id?: number | null;
                    history_public_to_subscribers?: boolean;
                    /** @description true takes an archived channel out of the archive, and so does false; true changes no other channel */
                    is_archived?: boolean;
                    is_default_stream?: boolean;
                    is_private?: boolean;
                    is_web_public?: boolean;
                    /** @description days, or `realm_default`, or `unlimited` */
                    message_retention_days?: string | number;
                    new_name?: string;
                    stream_id: number;
                    /**
                     * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                     * @enum {string}
                     */
                    topics_policy?: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                };
                result: Record<string, never>;
            };
            /** @description Appends a part to an upload (tus 1.0). The answer to the last part has the URL of the file. */
            "PATCH /tus/{upload_id}": {
                params: {
                    upload_id: string;
                };
                result: Record<string, never>;
            };
            /** @description Changes the name, the description and the settings of a user group, or reactivates it. */
            "PATCH /user_groups/{user_group_id}": {
                params: {
                    can_add_members_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_join_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_leave_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_manage_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_mention_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    can_remove_members_group?: {
                        new: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        old?: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                    };
                    /** @description false reactivates a deactivated group; true does nothing */
                    deactivated?: boolean;
                    description?: string;
                    name?: string;
                    user_group_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Changes an account, by its API address, or by the real one if the caller may see it. */
            "PATCH /users/{email}": {
                params: {
                    email: string;
                    full_name?: string;
                    new_email?: string;
                    profile_data?: {
                        id: number;
                        /** @description a list of user ids for a field of users */
                        value: string | number[] | null;
                    }[];
                    /** @enum {integer} */
                    role?: 100 | 200 | 300 | 400 | 600;
                };
                result: Record<string, never>;
            };
            /** @description Changes an account. */
            "PATCH /users/{user_id}": {
                params: {
                    full_name?: string;
                    new_email?: string;
                    profile_data?: {
                        id: number;
                        /** @description a list of user ids for a field of users */
                        value: string | number[] | null;
                    }[];
                    /** @enum {integer} */
                    role?: 100 | 200 | 300 | 400 | 600;
                    user_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Sets fields of the caller's own profile. */
            "PATCH /users/me/profile_data": {
                params: {
                    data: {
                        id: number;
                        /** @description a list of user ids for a field of users */
                        value: string | number[] | null;
                    }[];
                };
                result: Record<string, never>;
            };
            /** @description Subscribes users to channels and unsubscribes them from others, in one change. */
            "PATCH /users/me/subscriptions": {
                params: {
                    add?: {
                        color?: string;
                        description?: string;
                        name: string;
                    }[];
                    /** @default false */
                    announce?: boolean;
                    /**
                     * @description false: channels for which the caller lacks a permission are listed in `unauthorized`, and are no error
                     * @default true
                     */
                    authorization_errors_fatal?: boolean;
                    can_add_subscribers_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_administer_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 441: later than the level that the server announces. */
                    can_create_topic_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_any_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_own_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_out_of_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_within_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_subscribers_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 402: later than the level that the server announces. */
                    can_resolve_topics_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_send_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_subscribe_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    delete?: string[];
                    folder_id?: number;
                    history_public_to_subscribers?: boolean;
                    /** @default false */
                    invite_only?: boolean;
                    /** @default false */
                    is_default_stream?: boolean;
                    /** @default false */
                    is_web_public?: boolean;
                    /**
                     * @description days, or `realm_default`, or `unlimited`
                     * @default realm_default
                     */
                    message_retention_days?: string | number;
                    principals?: number[] | string[];
                    /** @default true */
                    send_new_subscription_messages?: boolean;
                    /**
                     * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                     * @default inherit
                     * @enum {string}
                     */
                    topics_policy?: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                };
                result: {
                    /** @description channel names by user id */
                    already_subscribed?: {
                        [key: string]: string[];
                    };
                    new_subscription_messages_sent?: boolean;
                    not_removed?: string[];
                    removed?: string[];
                    /** @description channel names by user id */
                    subscribed?: {
                        [key: string]: string[];
                    };
                    unauthorized?: string[];
                };
            };
            /** @description Sets one personal setting of the caller for a channel that the caller is subscribed to. */
            "PATCH /users/me/subscriptions/{stream_id}": {
                params: {
                    property: string;
                    stream_id: number;
                    /** @description a boolean; for `color` text */
                    value: boolean | string;
                };
                result: Record<string, never>;
            };
            /** @description Mutes a topic, or unmutes it: the older form of /user_topics. */
            "PATCH /users/me/subscriptions/muted_topics": {
                params: {
                    /** @enum {string} */
                    op: "add" | "remove";
                    stream?: string;
                    stream_id?: number;
                    /** @description a topic, with or without messages */
                    topic: string;
                };
                result: Record<string, never>;
            };
            /** @description Creates a bot of the caller. */
            "POST /bots": {
                params: {
                    /** @default 1 */
                    bot_type?: number;
                    /** @default {} */
                    config_data?: {
                        [key: string]: string;
                    };
                    default_all_public_streams?: boolean;
                    /** @description a channel by name; empty for none */
                    default_events_register_stream?: string;
                    /** @description a channel by name; empty for none */
                    default_sending_stream?: string;
                    full_name: string;
                    /** @default 1 */
                    interface_type?: number;
                    /** @description the URL to which an outgoing webhook is sent */
                    payload_url?: string;
                    /** @default  */
                    service_name?: string;
                    /** @description the first part of the address */
                    short_name: string;
                };
                result: {
                    api_key: string;
                    avatar_url: string;
                    default_all_public_streams: boolean;
                    default_events_register_stream: string | null;
                    default_sending_stream: string | null;
                    /** @description the address with which the bot logs in */
                    email: string;
                    user_id: number;
                };
            };
            /** @description Replaces the API key of a bot. */
            "POST /bots/{bot_id}/api_key/regenerate": {
                params: {
                    bot_id: number;
                };
                result: {
                    api_key: string;
                };
            };
            /** @description Creates a Zoom video call. Always refused, because this server does not support it. */
            "POST /calls/zoom/create": {
                params: {
                    /** @default true */
                    is_video_call?: boolean;
                };
                result: {
                    url: string;
                };
            };
            /** @description Creates a folder of channels. */
            "POST /channel_folders/create": {
                params: {
                    /** @default  */
                    description?: string;
                    name: string;
                };
                result: {
                    channel_folder_id: number;
                };
            };
            /** @description Creates a channel, and subscribes users to it. */
            "POST /channels/create": {
                params: {
                    /** @default false */
                    announce?: boolean;
                    can_add_subscribers_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_administer_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 441: later than the level that the server announces. */
                    can_create_topic_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_any_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_own_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_out_of_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_within_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_subscribers_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 402: later than the level that the server announces. */
                    can_resolve_topics_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_send_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_subscribe_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @default  */
                    description?: string;
                    folder_id?: number;
                    history_public_to_subscribers?: boolean;
                    /** @default false */
                    invite_only?: boolean;
                    /** @default false */
                    is_default_stream?: boolean;
                    /** @default false */
                    is_web_public?: boolean;
                    /**
                     * @description days, or `realm_default`, or `unlimited`
                     * @default realm_default
                     */
                    message_retention_days?: string | number;
                    name: string;
                    /** @default true */
                    send_new_subscription_messages?: boolean;
                    /** @description the IDs of the first subscribers */
                    subscribers: number[];
                    /**
                     * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                     * @default inherit
                     * @enum {string}
                     */
                    topics_policy?: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                };
                result: {
                    id: number;
                };
            };
            /** @description Creates a group of default channels. */
            "POST /default_stream_groups/create": {
                params: {
                    description: string;
                    group_name: string;
                    stream_names: string[];
                };
                result: Record<string, never>;
            };
            /** @description Makes a channel a default channel: new accounts are subscribed to it. */
            "POST /default_streams": {
                params: {
                    stream_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Returns the API key of an account for its email address alone; on development servers only. */
            "POST /dev_fetch_api_key": {
                params: {
                    username: string;
                };
                result: {
                    api_key: string;
                    /** @description the real address */
                    email: string;
                    user_id: number;
                };
            };
            /** @description Creates drafts. */
            "POST /drafts": {
                params: {
                    /** @default [] */
                    drafts?: {
                        content: string;
                        timestamp?: number;
                        to: number[];
                        topic: string;
                        /** @enum {string} */
                        type: "" | "stream" | "private";
                    }[];
                };
                result: {
                    /** @description in the order submitted */
                    ids: number[];
                };
            };
            /** @description Issues a ticket with which EventSource of a browser opens a stream of one queue, within a minute. */
            "POST /events/ticket": {
                params: {
                    queue_id: string;
                };
                result: {
                    expires_in: number;
                    ticket: string;
                };
            };
            /** @description Requests an archive of the organization's data. A realm_export event reports when it is complete. */
            "POST /export/realm": {
                params: {
                    /**
                     * @description 1: public data; 2: also private data of users who consented
                     * @default 1
                     */
                    export_type?: number;
                };
                result: {
                    id: number;
                };
            };
            /** @description Returns the API key of an account for its email address and password. */
            "POST /fetch_api_key": {
                params: {
                    password: string;
                    /** @description the real address */
                    username: string;
                };
                result: {
                    api_key: string;
                    /** @description the real address */
                    email: string;
                    user_id: number;
                };
            };
            /** @description Invites users by mail. Guests and bots may not do this. */
            "POST /invites": {
                params: {
                    /**
                     * @description groups to which the new user is added
                     * @default []
                     */
                    group_ids?: number[];
                    /** @default false */
                    include_realm_default_subscriptions?: boolean;
                    /**
                     * @default 400
                     * @enum {integer}
                     */
                    invite_as?: 100 | 200 | 300 | 400 | 600;
                    /**
                     * @description null: never
                     * @default 14400
                     */
                    invite_expires_in_minutes?: number | null;
                    /** @description separated by commas or lines */
                    invitee_emails: string;
                    /** @default true */
                    notify_referrer_on_join?: boolean;
                    /** @description channels to which the new user is subscribed; the caller may subscribe others to each of them */
                    stream_ids: number[];
                    /** @description what the Notification Bot writes to users who join; default: the text of the organization. Of feature level 416: later than the level that the server announces. */
                    welcome_message_custom_text?: string;
                };
                result: Record<string, never>;
            };
            /** @description Mails an invitation again. Its expiry date does not change. */
            "POST /invites/{invite_id}/resend": {
                params: {
                    invite_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Creates a link by which anyone can join. Guests and bots may not do this. */
            "POST /invites/multiuse": {
                params: {
                    /**
                     * @description groups to which the new user is added
                     * @default []
                     */
                    group_ids?: number[];
                    /** @default false */
                    include_realm_default_subscriptions?: boolean;
                    /**
                     * @default 400
                     * @enum {integer}
                     */
                    invite_as?: 100 | 200 | 300 | 400 | 600;
                    /**
                     * @description null: never
                     * @default 14400
                     */
                    invite_expires_in_minutes?: number | null;
                    /** @default [] */
                    stream_ids?: number[];
                    /** @description what the Notification Bot writes to users who join; default: the text of the organization. Of feature level 416: later than the level that the server announces. */
                    welcome_message_custom_text?: string;
                };
                result: {
                    invite_link: string;
                };
            };
            /** @description Returns the API key of an account for a JSON web token from a site that the organization trusts. */
            "POST /jwt/fetch_api_key": {
                params: {
                    /** @default false */
                    include_profile?: boolean;
                    /**
                     * @description a JSON web token with the claims `email` and `exp`, at most 10 minutes from now; it logs in once
                     * @default
                     */
                    token?: string;
                };
                result: {
                    api_key: string;
                    /** @description the real address */
                    email: string;
                    user?: {
                        avatar_url: string | null;
                        avatar_version: number;
                        bot_owner_id?: number | null;
                        bot_type: number | null;
                        date_joined: string;
                        delivery_email: string | null;
                        email: string;
                        full_name: string;
                        is_active: boolean;
                        is_admin: boolean;
                        is_bot: boolean;
                        is_guest: boolean;
                        is_owner: boolean;
                        /** @constant */
                        is_system_bot?: true;
                        profile_data?: {
                            [key: string]: {
                                rendered_value?: string;
                                value: string;
                            };
                        };
                        role: number;
                        timezone: string;
                        user_id: number;
                    };
                };
            };
            /** @description Marks all messages as read. */
            "POST /mark_all_as_read": {
                params: Record<string, never>;
                result: {
                    complete: boolean;
                };
            };
            /** @description Marks all messages of a channel as read; `complete` false: jobs mark the rest, call again to wait for them. */
            "POST /mark_stream_as_read": {
                params: {
                    stream_id: number;
                };
                result: {
                    complete: boolean;
                };
            };
            /** @description Marks all messages of a topic as read; `complete` false: jobs mark the rest, call again to wait for them. */
            "POST /mark_topic_as_read": {
                params: {
                    stream_id: number;
                    topic_name: string;
                };
                result: {
                    complete: boolean;
                };
            };
            /** @description Tells the recipients that the caller started or stopped editing a message. */
            "POST /message_edit_typing": {
                params: {
                    message_id: number;
                    /** @description start or stop */
                    op: string;
                };
                result: Record<string, never>;
            };
            /** @description Sends a message to a channel or to users. */
            "POST /messages": {
                params: {
                    content: string;
                    /** @description yes or true: send as another user, which is always refused */
                    forged?: string;
                    local_id?: string;
                    /** @description the queue whose event contains local_id */
                    queue_id?: string;
                    read_by_sender?: boolean;
                    /** @description a channel by name or id (default: the bot's default channel), or users by addresses or ids; plain text or JSON */
                    to?: string;
                    /** @description also accepted as `subject` */
                    topic?: string;
                    /** @enum {string} */
                    type: "stream" | "channel" | "private" | "direct";
                    /** @description JSON text: the widget of the message */
                    widget_content?: string;
                };
                result: {
                    automatic_new_visibility_policy?: number;
                    id: number;
                };
            };
            /** @description Adds an emoji reaction to a message. */
            "POST /messages/{message_id}/reactions": {
                params: {
                    /** @description the code of the emoji, in the form of its reaction_type */
                    emoji_code?: string;
                    emoji_name: string;
                    message_id: number;
                    /** @description unicode_emoji, realm_emoji or service_extra_emoji (zulip_extra_emoji) */
                    reaction_type?: string;
                };
                result: Record<string, never>;
            };
            /** @description Reports a message to the moderators, in the channel that the organization set for reports. */
            "POST /messages/{message_id}/report": {
                params: {
                    /** @description required for other */
                    description?: string;
                    message_id: number;
                    /** @description spam, harassment, inappropriate, norms, other; a registration has their names */
                    report_type: string;
                };
                result: Record<string, never>;
            };
            /** @description Tells the recipients that the caller started or stopped editing a message; the path that existing clients use. */
            "POST /messages/{message_id}/typing": {
                params: {
                    message_id: number;
                    /** @description start or stop */
                    op: string;
                };
                result: Record<string, never>;
            };
            /** @description Adds a flag to messages, or removes it. */
            "POST /messages/flags": {
                params: {
                    /** @description read, starred or collapsed */
                    flag: string;
                    messages: number[];
                    /** @description add or remove */
                    op: string;
                };
                result: {
                    ignored_because_not_subscribed_channels: number[];
                    messages: number[];
                };
            };
            /** @description Adds a flag to the messages of a narrow around an anchor, or removes it. */
            "POST /messages/flags/narrow": {
                params: {
                    /** @description an id, or oldest, newest, first_unread */
                    anchor: string;
                    /** @description read, starred or collapsed */
                    flag: string;
                    /** @default true */
                    include_anchor?: boolean;
                    /** @description the terms that all messages match. The operator mentions: Of feature level 446: later than the level that the server announces. */
                    narrow: (({
                        negated?: boolean;
                        operand: string | number | number[];
                        operator: string;
                    } & {
                        [key: string]: unknown;
                    }) | [
                        string,
                        string
                    ])[] | null;
                    num_after: number;
                    num_before: number;
                    /** @description add or remove */
                    op: string;
                };
                result: {
                    first_processed_id: number | null;
                    found_newest: boolean;
                    found_oldest: boolean;
                    ignored_because_not_subscribed_channels: number[];
                    last_processed_id: number | null;
                    processed_count: number;
                    updated_count: number;
                };
            };
            /** @description Renders a text as a message of the caller. */
            "POST /messages/render": {
                params: {
                    content: string;
                };
                result: {
                    rendered: string;
                };
            };
            /** @description Refuses to register a device for encrypted push notifications, because this server has no push service. */
            "POST /mobile_push/register": {
                params: Record<string, never>;
                result: Record<string, never>;
            };
            /** @description Sends a test notification. It never arrives, because this server sends no push notifications. */
            "POST /mobile_push/test_notification": {
                params: {
                    /** @description the token of one device; default: all devices */
                    token?: string;
                };
                result: Record<string, never>;
            };
            /** @description Adds a view, or sets where a built-in view is shown. */
            "POST /navigation_views": {
                params: {
                    /** @description the URL fragment of the view */
                    fragment: string;
                    /** @description true: in the sidebar; false: in the menu of more views */
                    is_pinned: boolean;
                    /** @description absent for built-in views */
                    name?: string | null;
                };
                result: Record<string, never>;
            };
            /** @description Deactivates the organization. Its data is kept, or deleted after the given number of days. */
            "POST /realm/deactivate": {
                params: {
                    /**
                     * @description null: the data is never deleted
                     * @default null
                     */
                    deletion_delay_days?: number | null;
                };
                result: Record<string, never>;
            };
            /** @description Adds a domain. */
            "POST /realm/domains": {
                params: {
                    allow_subdomains: boolean;
                    domain: string;
                };
                result: {
                    /** @description its id and its name */
                    new_domain: [
                        number,
                        string
                    ];
                };
            };
            /** @description Adds a custom emoji. The form has one file with any field name: a PNG, GIF, JPEG or WebP image. */
            "POST /realm/emoji/{emoji_name}": {
                params: {
                    emoji_name: string;
                };
                result: Record<string, never>;
            };
            /** @description Adds a linkifier. */
            "POST /realm/filters": {
                params: {
                    /** @description a regular expression of RE2, with named groups; at most 2600 bytes */
                    pattern: string;
                    /** @description RFC 6570, with the named groups as variables */
                    url_template: string;
                };
                result: {
                    id: number;
                };
            };
            /** @description Sets the organization's icon. The form has one file with any field name: a PNG, GIF, JPEG or WebP image. */
            "POST /realm/icon": {
                params: Record<string, never>;
                result: {
                    icon_url: string;
                };
            };
            /** @description Sets a logo of the organization. The form has one file with any field name: a PNG, GIF, JPEG or WebP image. */
            "POST /realm/logo": {
                params: {
                    /** @description true: the logo of the dark theme */
                    night: boolean;
                };
                result: Record<string, never>;
            };
            /** @description Adds a code playground. */
            "POST /realm/playgrounds": {
                params: {
                    /** @description the name that clients show; at most 600 characters */
                    name: string;
                    /** @description the language of the code blocks; at most 40 characters */
                    pygments_language: string;
                    /** @description RFC 6570, with `code` as the only variable */
                    url_template: string;
                };
                result: {
                    id: number;
                };
            };
            /** @description Creates a profile field. */
            "POST /realm/profile_fields": {
                params: {
                    /** @default false */
                    display_in_profile_summary?: boolean;
                    /** @default true */
                    editable_by_user?: boolean;
                    /**
                     * @description of type 3 the choices: by key, `text` and `order`; of type 7 `subtype`, with `custom` also `url_pattern`
                     * @default {}
                     */
                    field_data?: {
                        [key: string]: unknown;
                    };
                    /** @description 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns */
                    field_type: number;
                    /** @default  */
                    hint?: string;
                    name?: string;
                    /** @default false */
                    required?: boolean;
                };
                result: {
                    id: number;
                };
            };
            /** @description Sends a welcome message to the caller, as a trial. */
            "POST /realm/test_welcome_bot_custom_message": {
                params: {
                    welcome_message_custom_text: string;
                };
                result: {
                    message_id: number;
                };
            };
            /** @description Creates an event queue and returns the state to which its events apply. */
            "POST /register": {
                params: {
                    /** @description message events of every public channel */
                    all_public_streams?: boolean;
                    /**
                     * @description message events carry HTML, not Markdown
                     * @default false
                     */
                    apply_markdown?: boolean;
                    /** @description what the client can read; each is false when it is absent */
                    client_capabilities?: {
                        archived_channels?: boolean;
                        bulk_message_deletion?: boolean;
                        empty_topic_name?: boolean;
                        include_deactivated_groups?: boolean;
                        linkifier_url_template?: boolean;
                        notification_settings_null?: boolean;
                        simplified_presence_events?: boolean;
                        stream_typing_notifications?: boolean;
                        user_avatar_url_field_optional?: boolean;
                        user_list_incomplete?: boolean;
                        user_settings_object?: boolean;
                    };
                    /** @description true unless called without credentials */
                    client_gravatar?: boolean;
                    /** @description events of the queue; all when absent. The answer lists names that it does not know in `unknown_event_types` */
                    event_types?: string[];
                    /** @description initial data; as event_types when absent */
                    fetch_event_types?: string[];
                    /** @description the same, for newer clients; `"mobile"`: the longest lifespan of a queue */
                    idle_queue_timeout?: number | "mobile";
                    /**
                     * @description `partial` is the same as true. Of feature level 412: later than the level that the server announces.
                     * @default false
                     */
                    include_subscribers?: boolean | "partial";
                    /** @default [] */
                    narrow?: [
                        string,
                        string
                    ][];
                    /** @description initial `presences` of users who were connected within so many days; 14 when absent */
                    presence_history_limit_days?: number;
                    /**
                     * @description seconds without use after which the queue may be deleted; 600 when 0
                     * @default 0
                     */
                    queue_lifespan_secs?: number;
                    /** @default false */
                    slim_presence?: boolean;
                };
                result: {
                    alert_words?: string[];
                    api_feature_level: number;
                    available_notification_sounds?: string[];
                    /** @enum {string} */
                    avatar_source?: "G" | "U";
                    avatar_url?: string;
                    avatar_url_medium?: string;
                    can_create_private_streams?: boolean;
                    can_create_public_streams?: boolean;
                    can_create_streams?: boolean;
                    can_create_web_public_streams?: boolean;
                    can_invite_others_to_realm?: boolean;
                    channel_folders?: {
                        creator_id: number | null;
                        date_created: number;
                        description: string;
                        id: number;
                        is_archived: boolean;
                        name: string;
                        /** @description Of feature level 414: later than the level that the server announces. */
                        order: number;
                        rendered_description: string;
                    }[];
                    /** @enum {integer} */
                    color_scheme?: 1 | 2 | 3;
                    cross_realm_bots?: {
                        avatar_url: string | null;
                        avatar_version: number;
                        bot_owner_id?: number | null;
                        bot_type: number | null;
                        date_joined: string;
                        delivery_email: string | null;
                        email: string;
                        full_name: string;
                        is_active: boolean;
                        is_admin: boolean;
                        is_bot: boolean;
                        is_guest: boolean;
                        is_owner: boolean;
                        /** @constant */
                        is_system_bot: true;
                        profile_data?: {
                            [key: string]: {
                                rendered_value?: string;
                                value: string;
                            };
                        };
                        role: number;
                        timezone: string;
                        user_id: number;
                    }[];
                    custom_profile_field_types?: {
                        [key: string]: {
                            id: number;
                            name: string;
                        };
                    };
                    custom_profile_fields?: {
                        /** @constant */
                        display_in_profile_summary?: true;
                        editable_by_user: boolean;
                        field_data: string;
                        hint: string;
                        id: number;
                        name: string;
                        order: number;
                        required: boolean;
                        type: number;
                    }[];
                    default_language?: string;
                    delivery_email?: string;
                    /** @enum {integer} */
                    demote_inactive_streams?: 1 | 2 | 3;
                    /** @enum {integer} */
                    desktop_icon_count_display?: 1 | 2 | 3 | 4;
                    development_environment?: boolean;
                    drafts?: {
                        content: string;
                        id: number;
                        timestamp: number;
                        to: number[];
                        topic: string;
                        /** @enum {string} */
                        type: "" | "stream" | "private";
                    }[];
                    email?: string;
                    email_notifications_batching_period_seconds?: number;
                    emojiset?: string;
                    emojiset_choices?: {
                        key: string;
                        text: string;
                    }[];
                    enable_desktop_notifications?: boolean;
                    enable_digest_emails?: boolean;
                    enable_drafts_synchronization?: boolean;
                    enable_login_emails?: boolean;
                    enable_marketing_emails?: boolean;
                    enable_offline_email_notifications?: boolean;
                    enable_offline_push_notifications?: boolean;
                    enable_online_push_notifications?: boolean;
                    enable_sounds?: boolean;
                    enable_stream_audible_notifications?: boolean;
                    enable_stream_desktop_notifications?: boolean;
                    enable_stream_email_notifications?: boolean;
                    enable_stream_push_notifications?: boolean;
                    enter_sends?: boolean;
                    event_queue_longpoll_timeout_seconds?: number;
                    fluid_layout_width?: boolean;
                    full_name?: string;
                    giphy_api_key?: string;
                    giphy_rating_options?: {
                        [key: string]: {
                            id: number;
                            name: string;
                        };
                    };
                    has_zoom_token?: boolean;
                    high_contrast_mode?: boolean;
                    is_admin?: boolean;
                    is_guest?: boolean;
                    is_moderator?: boolean;
                    is_owner?: boolean;
                    jitsi_server_url?: string | null;
                    last_event_id?: number;
                    left_side_userlist?: boolean;
                    max_avatar_file_size_mib?: number;
                    max_bulk_new_subscription_messages?: number;
                    /** @description Of feature level 410: later than the level that the server announces. */
                    max_channel_folder_description_length?: number;
                    /** @description Of feature level 410: later than the level that the server announces. */
                    max_channel_folder_name_length?: number;
                    max_file_upload_size_mib?: number;
                    max_icon_file_size_mib?: number;
                    max_logo_file_size_mib?: number;
                    max_message_id?: number;
                    max_message_length?: number;
                    /** @description Of feature level 415: later than the level that the server announces. */
                    max_reminder_note_length?: number;
                    max_stream_description_length?: number;
                    max_stream_name_length?: number;
                    max_topic_length?: number;
                    message_content_in_email_notifications?: boolean;
                    muted_topics?: [
                        string,
                        string,
                        number
                    ][];
                    muted_users?: {
                        id: number;
                        timestamp: number;
                    }[];
                    navigation_tour_video_url?: string | null;
                    navigation_views?: {
                        fragment: string;
                        is_pinned: boolean;
                        name: string | null;
                    }[];
                    never_subscribed?: {
                        can_add_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_administer_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 441: later than the level that the server announces. */
                        can_create_topic_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_any_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_own_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_out_of_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_within_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_remove_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 402: later than the level that the server announces. */
                        can_resolve_topics_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_send_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_subscribe_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        creator_id: number | null;
                        date_created: number;
                        description: string;
                        /** @description deprecated: for clients that have older names */
                        email_address?: string;
                        first_message_id: number | null;
                        folder_id: number | null;
                        history_public_to_subscribers: boolean;
                        invite_only: boolean;
                        is_announcement_only: boolean;
                        is_archived: boolean;
                        is_recently_active: boolean;
                        is_web_public: boolean;
                        message_retention_days: number | null;
                        name: string;
                        rendered_description: string;
                        stream_id: number;
                        stream_post_policy: number;
                        stream_weekly_traffic: number | null;
                        subscriber_count: number;
                        subscribers?: number[];
                        /**
                         * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                         * @enum {string}
                         */
                        topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                    }[];
                    notification_sound?: string;
                    onboarding_steps?: {
                        name: string;
                        /** @constant */
                        type: "one_time_notice";
                    }[];
                    password_max_length?: number;
                    password_min_guesses?: number;
                    password_min_length?: number;
                    pm_content_in_desktop_notifications?: boolean;
                    presence_enabled?: boolean;
                    presence_last_update_id?: number;
                    presences?: {
                        [key: string]: {
                            active_timestamp: number;
                            idle_timestamp: number;
                        };
                    } | {
                        [key: string]: {
                            aggregated: {
                                /** @constant */
                                client: "website";
                                /** @enum {string} */
                                status: "active" | "idle" | "offline";
                                timestamp: number;
                            };
                            website: {
                                /** @constant */
                                client: "website";
                                /** @constant */
                                pushable: false;
                                /** @enum {string} */
                                status: "active" | "idle" | "offline";
                                timestamp: number;
                            };
                        };
                    };
                    queue_id: string | null;
                    realm_allow_edit_history?: boolean;
                    realm_allow_message_editing?: boolean;
                    realm_authentication_methods?: {
                        [key: string]: {
                            available: boolean;
                            enabled: boolean;
                            unavailable_reason?: string;
                        };
                    };
                    realm_available_video_chat_providers?: {
                        [key: string]: {
                            id: number;
                            name: string;
                        };
                    };
                    realm_avatar_changes_disabled?: boolean;
                    realm_billing?: {
                        has_pending_sponsorship_request: boolean;
                    };
                    realm_bot_domain?: string;
                    realm_bots?: {
                        api_key: string;
                        avatar_url: string;
                        bot_type: number;
                        default_all_public_streams: boolean;
                        default_events_register_stream: string | null;
                        default_sending_stream: string | null;
                        email: string;
                        full_name: string;
                        is_active: boolean;
                        owner_id: number | null;
                        services: {
                            base_url: string;
                            interface: number;
                            token: string;
                        }[];
                        user_id: number;
                    }[];
                    realm_can_access_all_users_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_add_custom_emoji_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_add_subscribers_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_create_bots_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_create_groups?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_create_private_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_create_public_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_create_web_public_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_create_write_only_bots_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_delete_any_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_delete_own_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_invite_users_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_manage_all_groups?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_manage_billing_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_mention_many_users_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_move_messages_between_channels_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_move_messages_between_topics_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_resolve_topics_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    realm_can_set_delete_message_policy_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_set_topics_policy_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_can_summarize_topics_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_create_multiuse_invite_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_create_private_stream_policy?: number;
                    realm_create_public_stream_policy?: number;
                    realm_create_web_public_stream_policy?: number;
                    realm_date_created?: number;
                    /**
                     * @description Of feature level 456: later than the level that the server announces.
                     * @enum {string}
                     */
                    realm_default_avatar_source?: "G" | "J";
                    realm_default_code_block_language?: string;
                    realm_default_external_accounts?: {
                        [key: string]: {
                            hint: string;
                            name: string;
                            text: string;
                            url_pattern: string;
                        };
                    };
                    realm_default_language?: string;
                    realm_default_stream_groups?: {
                        description: string;
                        id: number;
                        name: string;
                        streams: number[];
                    }[];
                    realm_default_streams?: number[];
                    realm_description?: string;
                    realm_digest_emails_enabled?: boolean;
                    /**
                     * @description 0 is Monday
                     * @enum {integer}
                     */
                    realm_digest_weekday?: 0 | 1 | 2 | 3 | 4 | 5 | 6;
                    realm_direct_message_initiator_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_direct_message_permission_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    realm_disallow_disposable_email_addresses?: boolean;
                    realm_domains?: {
                        allow_subdomains: boolean;
                        domain: string;
                    }[];
                    realm_email_auth_enabled?: boolean;
                    realm_email_changes_disabled?: boolean;
                    realm_emails_restricted_to_domains?: boolean;
                    realm_embedded_bots?: {
                        [key: string]: unknown;
                    }[];
                    realm_emoji?: {
                        [key: string]: {
                            author_id: number | null;
                            deactivated: boolean;
                            id: string;
                            name: string;
                            source_url: string;
                            still_url: string | null;
                        };
                    };
                    realm_empty_topic_display_name?: string;
                    realm_enable_guest_user_dm_warning?: boolean;
                    realm_enable_guest_user_indicator?: boolean;
                    realm_enable_read_receipts?: boolean;
                    realm_enable_spectator_access?: boolean;
                    realm_filters?: {
                        [key: string]: unknown;
                    }[];
                    realm_giphy_rating?: number;
                    /** @enum {string} */
                    realm_icon_source?: "G" | "U";
                    realm_icon_url?: string;
                    realm_incoming_webhook_bots?: {
                        [key: string]: unknown;
                    }[];
                    realm_inline_image_preview?: boolean;
                    realm_inline_url_embed_preview?: boolean;
                    realm_invite_required?: boolean;
                    realm_is_zephyr_mirror_realm?: boolean;
                    realm_jitsi_server_url?: string | null;
                    realm_linkifiers?: {
                        id: number;
                        pattern: string;
                        url_template: string;
                    }[];
                    /** @enum {string} */
                    realm_logo_source?: "D" | "U";
                    realm_logo_url?: string;
                    realm_mandatory_topics?: boolean;
                    realm_message_content_allowed_in_email_notifications?: boolean;
                    realm_message_content_delete_limit_seconds?: number | null;
                    realm_message_content_edit_limit_seconds?: number | null;
                    /** @enum {string} */
                    realm_message_edit_history_visibility_policy?: "all" | "moves" | "none";
                    realm_message_retention_days?: number;
                    realm_moderation_request_channel_id?: number;
                    realm_move_messages_between_streams_limit_seconds?: number | null;
                    realm_move_messages_within_stream_limit_seconds?: number | null;
                    realm_name?: string;
                    realm_name_changes_disabled?: boolean;
                    /** @enum {integer} */
                    realm_name_in_email_notifications_policy?: 1 | 2 | 3;
                    realm_new_stream_announcements_stream_id?: number;
                    /** @enum {string} */
                    realm_night_logo_source?: "D" | "U";
                    realm_night_logo_url?: string;
                    realm_non_active_users?: {
                        avatar_url: string | null;
                        avatar_version: number;
                        bot_owner_id?: number | null;
                        bot_type: number | null;
                        date_joined: string;
                        delivery_email: string | null;
                        email: string;
                        full_name: string;
                        is_admin: boolean;
                        is_bot: boolean;
                        is_guest: boolean;
                        is_owner: boolean;
                        /** @constant */
                        is_system_bot?: true;
                        profile_data?: {
                            [key: string]: {
                                rendered_value?: string;
                                value: string;
                            };
                        };
                        role: number;
                        timezone?: string;
                        user_id: number;
                    }[];
                    /** @enum {integer} */
                    realm_org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000;
                    /** @description Of feature level 438: later than the level that the server announces. */
                    realm_owner_full_content_access?: boolean;
                    realm_password_auth_enabled?: boolean;
                    realm_plan_type?: number;
                    realm_playgrounds?: {
                        id: number;
                        name: string;
                        pygments_language: string;
                        url_template: string;
                    }[];
                    realm_presence_disabled?: boolean;
                    realm_push_notifications_enabled?: boolean;
                    realm_push_notifications_enabled_end_timestamp?: number | null;
                    realm_require_unique_names?: boolean;
                    /** @description Of feature level 434: later than the level that the server announces. */
                    realm_send_channel_events_messages?: boolean;
                    realm_send_welcome_emails?: boolean;
                    realm_signup_announcements_stream_id?: number;
                    /** @enum {string} */
                    realm_topics_policy?: "allow_empty_topic" | "disable_empty_topic";
                    realm_upload_quota_mib?: number | null;
                    realm_uri?: string;
                    realm_url?: string;
                    realm_user_groups?: {
                        can_add_members_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_join_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_leave_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_manage_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_mention_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_remove_members_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        creator_id: number | null;
                        date_created: number | null;
                        deactivated: boolean;
                        description: string;
                        direct_subgroup_ids: number[];
                        id: number;
                        is_system_group: boolean;
                        members: number[];
                        name: string;
                    }[];
                    realm_user_settings_defaults?: {
                        /** @enum {integer} */
                        automatically_follow_topics_policy: 1 | 2 | 3 | 4;
                        automatically_follow_topics_where_mentioned: boolean;
                        /** @enum {integer} */
                        automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4;
                        available_notification_sounds: string[];
                        /** @enum {integer} */
                        color_scheme: 1 | 2 | 3;
                        default_language: string;
                        /** @enum {integer} */
                        demote_inactive_streams: 1 | 2 | 3;
                        /** @enum {integer} */
                        desktop_icon_count_display: 1 | 2 | 3 | 4;
                        display_emoji_reaction_users: boolean;
                        /** @enum {integer} */
                        email_address_visibility: 1 | 2 | 3 | 4 | 5;
                        email_notifications_batching_period_seconds: number;
                        emojiset: string;
                        emojiset_choices: {
                            key: string;
                            text: string;
                        }[];
                        enable_desktop_notifications: boolean;
                        enable_digest_emails: boolean;
                        enable_drafts_synchronization: boolean;
                        enable_followed_topic_audible_notifications: boolean;
                        enable_followed_topic_desktop_notifications: boolean;
                        enable_followed_topic_email_notifications: boolean;
                        enable_followed_topic_push_notifications: boolean;
                        enable_followed_topic_wildcard_mentions_notify: boolean;
                        enable_login_emails: boolean;
                        enable_marketing_emails: boolean;
                        enable_offline_email_notifications: boolean;
                        enable_offline_push_notifications: boolean;
                        enable_online_push_notifications: boolean;
                        enable_sounds: boolean;
                        enable_stream_audible_notifications: boolean;
                        enable_stream_desktop_notifications: boolean;
                        enable_stream_email_notifications: boolean;
                        enable_stream_push_notifications: boolean;
                        enter_sends: boolean;
                        fluid_layout_width: boolean;
                        hide_ai_features: boolean;
                        high_contrast_mode: boolean;
                        left_side_userlist: boolean;
                        message_content_in_email_notifications: boolean;
                        notification_sound: string;
                        pm_content_in_desktop_notifications: boolean;
                        presence_enabled: boolean;
                        /** @enum {integer} */
                        realm_name_in_email_notifications_policy: 1 | 2 | 3;
                        receives_typing_notifications: boolean;
                        /** @enum {string} */
                        resolved_topic_notice_auto_read_policy: "always" | "except_followed" | "never";
                        send_private_typing_notifications: boolean;
                        send_read_receipts: boolean;
                        send_stream_typing_notifications: boolean;
                        starred_message_counts: boolean;
                        translate_emoticons: boolean;
                        twenty_four_hour_time: boolean;
                        /** @enum {integer} */
                        user_list_style: 1 | 2 | 3;
                        /** @enum {string} */
                        web_animate_image_previews: "always" | "on_hover" | "never";
                        /**
                         * @description 4: Of feature level 401: later than the level that the server announces.
                         * @enum {integer}
                         */
                        web_channel_default_view: 1 | 2 | 3 | 4;
                        web_escape_navigates_to_home_view: boolean;
                        web_font_size_px: number;
                        /** @enum {string} */
                        web_home_view: "inbox" | "recent_topics" | "all_messages";
                        /** @description Of feature level 431: later than the level that the server announces. */
                        web_inbox_show_channel_folders: boolean;
                        /** @description Of feature level 411: later than the level that the server announces. */
                        web_left_sidebar_show_channel_folders: boolean;
                        web_left_sidebar_unreads_count_summary: boolean;
                        web_line_height_percent: number;
                        /** @enum {integer} */
                        web_mark_read_on_scroll_policy: 1 | 2 | 3;
                        web_navigate_to_sent_message: boolean;
                        /** @enum {integer} */
                        web_stream_unreads_count_display_policy: 1 | 2 | 3;
                        web_suggest_update_timezone: boolean;
                        wildcard_mentions_notify: boolean;
                    };
                    realm_users?: {
                        avatar_url: string | null;
                        avatar_version: number;
                        bot_owner_id?: number | null;
                        bot_type: number | null;
                        date_joined: string;
                        delivery_email: string | null;
                        email: string;
                        full_name: string;
                        is_admin: boolean;
                        is_bot: boolean;
                        is_guest: boolean;
                        is_owner: boolean;
                        /** @constant */
                        is_system_bot?: true;
                        profile_data?: {
                            [key: string]: {
                                rendered_value?: string;
                                value: string;
                            };
                        };
                        role: number;
                        timezone?: string;
                        user_id: number;
                    }[];
                    realm_video_chat_provider?: number;
                    /** @description days */
                    realm_waiting_period_threshold?: number;
                    realm_want_advertise_in_communities_directory?: boolean;
                    /** @description Of feature level 416: later than the level that the server announces. */
                    realm_welcome_message_custom_text?: string;
                    realm_wildcard_mention_policy?: number;
                    realm_zulip_update_announcements_stream_id?: number;
                    recent_private_conversations?: {
                        max_message_id: number;
                        user_ids: number[];
                    }[];
                    saved_snippets?: {
                        content: string;
                        date_created: number;
                        id: number;
                        title: string;
                    }[];
                    scheduled_messages?: {
                        content: string;
                        failed: boolean;
                        rendered_content: string;
                        scheduled_delivery_timestamp: number;
                        scheduled_message_id: number;
                        to: number | number[];
                        topic?: string;
                        /** @enum {string} */
                        type: "stream" | "private";
                    }[];
                    server_avatar_changes_disabled?: boolean;
                    server_can_summarize_topics?: boolean;
                    /** Format: uri */
                    server_emoji_data_url?: string;
                    server_gateway_paths?: string[];
                    server_generation?: number;
                    server_inline_image_preview?: boolean;
                    server_inline_url_embed_preview?: boolean;
                    server_jitsi_server_url?: string | null;
                    server_max_deactivated_realm_deletion_days?: number | null;
                    server_min_deactivated_realm_deletion_days?: number;
                    server_name_changes_disabled?: boolean;
                    server_needs_upgrade?: boolean;
                    server_presence_offline_threshold_seconds?: number;
                    server_presence_ping_interval_seconds?: number;
                    /** @description Of feature level 435: later than the level that the server announces. */
                    server_report_message_types?: {
                        key: string;
                        name: string;
                    }[];
                    server_supported_permission_settings?: {
                        group: {
                            [key: string]: {
                                allow_everyone_group: boolean;
                                allow_internet_group: boolean;
                                allow_nobody_group: boolean;
                                allowed_system_groups: string[];
                                default_for_system_groups: string | null;
                                default_group_name: string;
                                require_system_group: boolean;
                            };
                        };
                        realm: {
                            [key: string]: {
                                allow_everyone_group: boolean;
                                allow_internet_group: boolean;
                                allow_nobody_group: boolean;
                                allowed_system_groups: string[];
                                default_for_system_groups: string | null;
                                default_group_name: string;
                                require_system_group: boolean;
                            };
                        };
                        stream: {
                            [key: string]: {
                                allow_everyone_group: boolean;
                                allow_internet_group: boolean;
                                allow_nobody_group: boolean;
                                allowed_system_groups: string[];
                                default_for_system_groups: string | null;
                                default_group_name: string;
                                require_system_group: boolean;
                            };
                        };
                    };
                    server_thumbnail_formats?: {
                        animated: boolean;
                        format: string;
                        max_height: number;
                        max_width: number;
                        name: string;
                    }[];
                    server_timestamp?: number;
                    server_typing_started_expiry_period_milliseconds?: number;
                    server_typing_started_wait_period_milliseconds?: number;
                    server_typing_stopped_wait_period_milliseconds?: number;
                    server_web_public_streams_enabled?: boolean;
                    settings_send_digest_emails?: boolean;
                    starred_message_counts?: boolean;
                    starred_messages?: number[];
                    stop_words?: string[];
                    streams?: {
                        can_add_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_administer_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 441: later than the level that the server announces. */
                        can_create_topic_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_any_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_own_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_out_of_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_within_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_remove_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 402: later than the level that the server announces. */
                        can_resolve_topics_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_send_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_subscribe_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        creator_id: number | null;
                        date_created: number;
                        description: string;
                        first_message_id: number | null;
                        folder_id: number | null;
                        history_public_to_subscribers: boolean;
                        invite_only: boolean;
                        is_announcement_only: boolean;
                        is_archived: boolean;
                        is_recently_active: boolean;
                        is_web_public: boolean;
                        message_retention_days: number | null;
                        name: string;
                        rendered_description: string;
                        stream_id: number;
                        stream_post_policy: number;
                        stream_weekly_traffic: number | null;
                        subscriber_count: number;
                        /**
                         * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                         * @enum {string}
                         */
                        topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                    }[];
                    subscriptions?: {
                        audible_notifications: boolean | null;
                        can_add_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_administer_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 441: later than the level that the server announces. */
                        can_create_topic_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_any_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_own_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_out_of_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_within_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_remove_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 402: later than the level that the server announces. */
                        can_resolve_topics_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_send_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_subscribe_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        color: string;
                        creator_id: number | null;
                        date_created: number;
                        description: string;
                        desktop_notifications: boolean | null;
                        /** @description deprecated: for clients that have older names */
                        email_address?: string;
                        email_notifications: boolean | null;
                        first_message_id: number | null;
                        folder_id: number | null;
                        history_public_to_subscribers: boolean;
                        in_home_view: boolean;
                        invite_only: boolean;
                        is_announcement_only: boolean;
                        is_archived: boolean;
                        is_muted: boolean;
                        is_recently_active: boolean;
                        is_web_public: boolean;
                        message_retention_days: number | null;
                        name: string;
                        pin_to_top: boolean;
                        push_notifications: boolean | null;
                        rendered_description: string;
                        stream_id: number;
                        stream_post_policy: number;
                        stream_weekly_traffic: number | null;
                        subscriber_count: number;
                        subscribers?: number[];
                        /**
                         * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                         * @enum {string}
                         */
                        topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                        wildcard_mentions_notify: boolean | null;
                    }[];
                    timezone?: string;
                    translate_emoticons?: boolean;
                    twenty_four_hour_time?: boolean;
                    unknown_event_types?: string[];
                    unread_msgs?: {
                        count: number;
                        huddles: {
                            unread_message_ids: number[];
                            user_ids_string: string;
                        }[];
                        mentions: number[];
                        old_unreads_missing: boolean;
                        pms: {
                            other_user_id: number;
                            sender_id: number;
                            unread_message_ids: number[];
                        }[];
                        streams: {
                            stream_id: number;
                            topic: string;
                            unread_message_ids: number[];
                        }[];
                    };
                    unsubscribed?: {
                        audible_notifications: boolean | null;
                        can_add_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_administer_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 441: later than the level that the server announces. */
                        can_create_topic_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_any_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 407: later than the level that the server announces. */
                        can_delete_own_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_out_of_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_move_messages_within_channel_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_remove_subscribers_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        /** @description Of feature level 402: later than the level that the server announces. */
                        can_resolve_topics_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_send_message_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        can_subscribe_group: number | {
                            direct_members: number[];
                            direct_subgroups: number[];
                        };
                        color: string;
                        creator_id: number | null;
                        date_created: number;
                        description: string;
                        desktop_notifications: boolean | null;
                        /** @description deprecated: for clients that have older names */
                        email_address?: string;
                        email_notifications: boolean | null;
                        first_message_id: number | null;
                        folder_id: number | null;
                        history_public_to_subscribers: boolean;
                        in_home_view: boolean;
                        invite_only: boolean;
                        is_announcement_only: boolean;
                        is_archived: boolean;
                        is_muted: boolean;
                        is_recently_active: boolean;
                        is_web_public: boolean;
                        message_retention_days: number | null;
                        name: string;
                        pin_to_top: boolean;
                        push_notifications: boolean | null;
                        rendered_description: string;
                        stream_id: number;
                        stream_post_policy: number;
                        stream_weekly_traffic: number | null;
                        subscriber_count: number;
                        subscribers?: number[];
                        /**
                         * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                         * @enum {string}
                         */
                        topics_policy: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                        wildcard_mentions_notify: boolean | null;
                    }[];
                    upgrade_text_for_wide_organization_logo?: string;
                    user_id?: number;
                    user_settings?: {
                        allow_private_data_export: boolean;
                        /** @enum {integer} */
                        automatically_follow_topics_policy: 1 | 2 | 3 | 4;
                        automatically_follow_topics_where_mentioned: boolean;
                        /** @enum {integer} */
                        automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4;
                        available_notification_sounds: string[];
                        /** @enum {integer} */
                        color_scheme: 1 | 2 | 3;
                        default_language: string;
                        /** @enum {integer} */
                        demote_inactive_streams: 1 | 2 | 3;
                        /** @enum {integer} */
                        desktop_icon_count_display: 1 | 2 | 3 | 4;
                        display_emoji_reaction_users: boolean;
                        /** @enum {integer} */
                        email_address_visibility: 1 | 2 | 3 | 4 | 5;
                        email_notifications_batching_period_seconds: number;
                        emojiset: string;
                        emojiset_choices: {
                            key: string;
                            text: string;
                        }[];
                        enable_desktop_notifications: boolean;
                        enable_digest_emails: boolean;
                        enable_drafts_synchronization: boolean;
                        enable_followed_topic_audible_notifications: boolean;
                        enable_followed_topic_desktop_notifications: boolean;
                        enable_followed_topic_email_notifications: boolean;
                        enable_followed_topic_push_notifications: boolean;
                        enable_followed_topic_wildcard_mentions_notify: boolean;
                        enable_login_emails: boolean;
                        enable_marketing_emails: boolean;
                        enable_offline_email_notifications: boolean;
                        enable_offline_push_notifications: boolean;
                        enable_online_push_notifications: boolean;
                        enable_sounds: boolean;
                        enable_stream_audible_notifications: boolean;
                        enable_stream_desktop_notifications: boolean;
                        enable_stream_email_notifications: boolean;
                        enable_stream_push_notifications: boolean;
                        enter_sends: boolean;
                        fluid_layout_width: boolean;
                        hide_ai_features: boolean;
                        high_contrast_mode: boolean;
                        left_side_userlist: boolean;
                        message_content_in_email_notifications: boolean;
                        notification_sound: string;
                        pm_content_in_desktop_notifications: boolean;
                        presence_enabled: boolean;
                        /** @enum {integer} */
                        realm_name_in_email_notifications_policy: 1 | 2 | 3;
                        receives_typing_notifications: boolean;
                        /** @enum {string} */
                        resolved_topic_notice_auto_read_policy: "always" | "except_followed" | "never";
                        send_private_typing_notifications: boolean;
                        send_read_receipts: boolean;
                        send_stream_typing_notifications: boolean;
                        starred_message_counts: boolean;
                        timezone: string;
                        translate_emoticons: boolean;
                        twenty_four_hour_time: boolean;
                        /** @enum {integer} */
                        user_list_style: 1 | 2 | 3;
                        /** @enum {string} */
                        web_animate_image_previews: "always" | "on_hover" | "never";
                        /**
                         * @description 4: Of feature level 401: later than the level that the server announces.
                         * @enum {integer}
                         */
                        web_channel_default_view: 1 | 2 | 3 | 4;
                        web_escape_navigates_to_home_view: boolean;
                        web_font_size_px: number;
                        /** @enum {string} */
                        web_home_view: "inbox" | "recent_topics" | "all_messages";
                        /** @description Of feature level 431: later than the level that the server announces. */
                        web_inbox_show_channel_folders: boolean;
                        /** @description Of feature level 411: later than the level that the server announces. */
                        web_left_sidebar_show_channel_folders: boolean;
                        web_left_sidebar_unreads_count_summary: boolean;
                        web_line_height_percent: number;
                        /** @enum {integer} */
                        web_mark_read_on_scroll_policy: 1 | 2 | 3;
                        web_navigate_to_sent_message: boolean;
                        /** @enum {integer} */
                        web_stream_unreads_count_display_policy: 1 | 2 | 3;
                        web_suggest_update_timezone: boolean;
                        wildcard_mentions_notify: boolean;
                    };
                    user_status?: {
                        [key: string]: {
                            /** @constant */
                            away?: true;
                            emoji_code?: string;
                            emoji_name?: string;
                            reaction_type?: string;
                            /** @description when it ends by itself, in UNIX seconds */
                            scheduled_end_time?: number;
                            status_text?: string;
                        };
                    };
                    user_topics?: {
                        last_updated: number;
                        stream_id: number;
                        topic_name: string;
                        visibility_policy: number;
                    }[];
                    /** @enum {string} */
                    web_home_view?: "inbox" | "recent_topics" | "all_messages";
                    wildcard_mentions_notify?: boolean;
                    zulip_feature_level: number;
                    zulip_merge_base: string;
                    zulip_plan_is_not_limited?: boolean;
                    zulip_version: string;
                };
            };
            /** @description Schedules a direct message that reminds the caller of a message. */
            "POST /reminders": {
                params: {
                    message_id: number;
                    /**
                     * @description a text that the reminder repeats. Of feature level 415: later than the level that the server announces.
                     * @default
                     */
                    note?: string;
                    /** @description UNIX seconds */
                    scheduled_delivery_timestamp: number;
                };
                result: {
                    reminder_id: number;
                };
            };
            /** @description Saves a snippet. */
            "POST /saved_snippets": {
                params: {
                    content: string;
                    title: string;
                };
                result: {
                    saved_snippet_id: number;
                };
            };
            /** @description Schedules a message to be sent later. */
            "POST /scheduled_messages": {
                params: {
                    content: string;
                    read_by_sender?: boolean;
                    /** @description UNIX seconds */
                    scheduled_delivery_timestamp: number;
                    /** @description the id of a channel, or a list of user ids */
                    to: number | number[];
                    /** @description also accepted as `subject` */
                    topic?: string;
                    /** @enum {string} */
                    type: "stream" | "channel" | "private" | "direct";
                };
                result: {
                    scheduled_message_id: number;
                };
            };
            /** @description Logs a browser in with an email address and a password: sets the cookie of a new session. */
            "POST /sessions": {
                params: {
                    password: string;
                    /** @description the real address */
                    username: string;
                };
                result: {
                    /** @description for the header X-CSRF-Token of each call of this session that is not a GET */
                    csrf_token: string;
                    /** @description the real address */
                    email: string;
                    user_id: number;
                };
            };
            /** @description Logs a browser in without a password; on development servers only. */
            "POST /sessions/demo": {
                params: {
                    user_id: number;
                };
                result: {
                    /** @description for the header X-CSRF-Token of each call of this session that is not a GET */
                    csrf_token: string;
                    /** @description the real address */
                    email: string;
                    user_id: number;
                };
            };
            /** @description Deletes the messages of a topic, newest first; `complete` false: some remain, call again to wait for the rest. */
            "POST /streams/{stream_id}/delete_topic": {
                params: {
                    stream_id: number;
                    /** @description may be empty */
                    topic_name: string;
                };
                result: {
                    complete: boolean;
                };
            };
            /** @description Adds an action to the widget of a message, such as a vote in a poll. */
            "POST /submessage": {
                params: {
                    /** @description JSON text: the action. The first one on a message without a widget describes the widget, as `widget_content` does */
                    content: string;
                    message_id: number;
                    /** @enum {string} */
                    msg_type: "widget";
                };
                result: Record<string, never>;
            };
            /** @description Creates a resumable upload (tus 1.0). The size and name of the file are sent in headers. */
            "POST /tus/": {
                params: Record<string, never>;
                result: Record<string, never>;
            };
            /** @description Tells the recipients that the caller started or stopped typing a message. */
            "POST /typing": {
                params: {
                    /** @description start or stop */
                    op: string;
                    stream_id?: number;
                    /** @description direct: the user ids of the recipients */
                    to?: number[];
                    /** @description also accepted as `subject` */
                    topic?: string;
                    /**
                     * @description direct, or stream or channel
                     * @default direct
                     */
                    type?: string;
                };
                result: Record<string, never>;
            };
            /** @description Deactivates a user group, unless a setting or another group uses it. */
            "POST /user_groups/{user_group_id}/deactivate": {
                params: {
                    user_group_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Adds accounts and groups to a user group, and removes others. */
            "POST /user_groups/{user_group_id}/members": {
                params: {
                    /** @default [] */
                    add?: number[];
                    /** @default [] */
                    add_subgroups?: number[];
                    /** @default [] */
                    delete?: number[];
                    /** @default [] */
                    delete_subgroups?: number[];
                    user_group_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Adds groups to a user group, and removes others. */
            "POST /user_groups/{user_group_id}/subgroups": {
                params: {
                    /** @default [] */
                    add?: number[];
                    /** @default [] */
                    delete?: number[];
                    user_group_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Creates a user group. */
            "POST /user_groups/create": {
                params: {
                    can_add_members_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_join_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_leave_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_manage_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_mention_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_members_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    description: string;
                    members: number[];
                    name: string;
                    /** @default [] */
                    subgroups?: number[];
                };
                result: {
                    group_id: number;
                };
            };
            /** @description Mutes, unmutes or follows a topic, or removes the policy for it. */
            "POST /user_topics": {
                params: {
                    stream_id: number;
                    /** @description a topic, with or without messages */
                    topic: string;
                    /**
                     * @description 0 inherits from the channel, 1 muted, 2 unmuted, 3 followed
                     * @enum {integer}
                     */
                    visibility_policy: 0 | 1 | 2 | 3;
                };
                result: Record<string, never>;
            };
            /** @description Uploads a file: the only part of the form, under any field name. */
            "POST /user_uploads": {
                params: Record<string, never>;
                result: {
                    filename: string;
                    uri: string;
                    url: string;
                };
            };
            /** @description Creates an account. */
            "POST /users": {
                params: {
                    email: string;
                    full_name: string;
                    password: string;
                };
                result: {
                    user_id: number;
                };
            };
            /** @description Reactivates a deactivated account or bot. */
            "POST /users/{user_id}/reactivate": {
                params: {
                    /**
                     * @description true ends the API key, the links that were mailed, and the password: a reactivated account needs new ones
                     * @default false
                     */
                    end_credentials?: boolean;
                    user_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Changes the status of another user. */
            "POST /users/{user_id}/status": {
                params: {
                    emoji_code?: string;
                    /** @description empty: no emoji */
                    emoji_name?: string;
                    reaction_type?: string;
                    /** @description when the status ends by itself; without it, it ends when the user clears it */
                    scheduled_end_time?: number | null;
                    status_text?: string;
                    user_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Adds alert words. A word that the caller has in another case is not added. */
            "POST /users/me/alert_words": {
                params: {
                    alert_words: string[];
                };
                result: {
                    alert_words: string[];
                };
            };
            /** @description Registers a device with an FCM token. */
            "POST /users/me/android_gcm_reg_id": {
                params: {
                    /** @description 1 to 4096 characters */
                    token: string;
                };
                result: Record<string, never>;
            };
            /** @description Replaces the caller's API key. */
            "POST /users/me/api_key/regenerate": {
                params: Record<string, never>;
                result: {
                    api_key: string;
                };
            };
            /** @description Registers a device with an APNs token. */
            "POST /users/me/apns_device_token": {
                params: {
                    appid: string;
                    /** @description 1 to 4096 characters */
                    token: string;
                };
                result: Record<string, never>;
            };
            /** @description Sets the caller's avatar. The form has one file with any field name: a PNG, GIF, JPEG or WebP image. */
            "POST /users/me/avatar": {
                params: Record<string, never>;
                result: {
                    avatar_url: string;
                };
            };
            /** @description Mutes a user, and marks the messages of that user as read. */
            "POST /users/me/muted_users/{muted_user_id}": {
                params: {
                    muted_user_id: number;
                };
                result: Record<string, never>;
            };
            /** @description Records that the caller has seen an onboarding step. */
            "POST /users/me/onboarding_steps": {
                params: {
                    onboarding_step: string;
                    /** @description has no effect: this server has no video of a navigation tour */
                    schedule_navigation_tour_video_reminder_delay?: number;
                };
                result: Record<string, never>;
            };
            /** @description Records that a client of the caller is connected, and lists the presence of users. */
            "POST /users/me/presence": {
                params: {
                    /** @default 14 */
                    history_limit_days?: number;
                    /** @description lists only later changes, in the slim form; -1 lists all */
                    last_update_id?: number;
                    /** @default false */
                    new_user_input?: boolean;
                    /** @default false */
                    ping_only?: boolean;
                    /** @default false */
                    slim_presence?: boolean;
                    /** @description active or idle */
                    status: string;
                };
                result: {
                    presence_last_update_id?: number;
                    presences?: {
                        [key: string]: {
                            active_timestamp: number;
                            idle_timestamp: number;
                        };
                    } | {
                        [key: string]: {
                            aggregated: {
                                /** @constant */
                                client: "website";
                                /** @enum {string} */
                                status: "active" | "idle" | "offline";
                                timestamp: number;
                            };
                            website: {
                                /** @constant */
                                client: "website";
                                /** @constant */
                                pushable: false;
                                /** @enum {string} */
                                status: "active" | "idle" | "offline";
                                timestamp: number;
                            };
                        };
                    };
                    server_timestamp?: number;
                };
            };
            /** @description Changes the caller's status. */
            "POST /users/me/status": {
                params: {
                    /** @description legacy: the opposite of presence_enabled */
                    away?: boolean;
                    emoji_code?: string;
                    /** @description empty: no emoji */
                    emoji_name?: string;
                    reaction_type?: string;
                    /** @description when the status ends by itself; without it, it ends when the user clears it */
                    scheduled_end_time?: number | null;
                    status_text?: string;
                };
                result: Record<string, never>;
            };
            /** @description Subscribes users to channels by name; channels that do not exist are created. Guests may not do this. */
            "POST /users/me/subscriptions": {
                params: {
                    /** @default false */
                    announce?: boolean;
                    /**
                     * @description false: channels for which the caller lacks a permission are listed in `unauthorized`, and are no error
                     * @default true
                     */
                    authorization_errors_fatal?: boolean;
                    can_add_subscribers_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_administer_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 441: later than the level that the server announces. */
                    can_create_topic_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_any_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 407: later than the level that the server announces. */
                    can_delete_own_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_out_of_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_move_messages_within_channel_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_remove_subscribers_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    /** @description Of feature level 402: later than the level that the server announces. */
                    can_resolve_topics_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_send_message_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    can_subscribe_group?: number | {
                        direct_members: number[];
                        direct_subgroups: number[];
                    };
                    folder_id?: number;
                    history_public_to_subscribers?: boolean;
                    /** @default false */
                    invite_only?: boolean;
                    /** @default false */
                    is_default_stream?: boolean;
                    /** @default false */
                    is_web_public?: boolean;
                    /**
                     * @description days, or `realm_default`, or `unlimited`
                     * @default realm_default
                     */
                    message_retention_days?: string | number;
                    principals?: number[] | string[];
                    /** @default true */
                    send_new_subscription_messages?: boolean;
                    subscriptions: {
                        color?: string;
                        description?: string;
                        name: string;
                    }[];
                    /**
                     * @description empty_topic_only: Of feature level 404: later than the level that the server announces.
                     * @default inherit
                     * @enum {string}
                     */
                    topics_policy?: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
                };
                result: {
                    /** @description channel names by user id */
                    already_subscribed: {
                        [key: string]: string[];
                    };
                    new_subscription_messages_sent?: boolean;
                    /** @description channel names by user id */
                    subscribed: {
                        [key: string]: string[];
                    };
                    unauthorized?: string[];
                };
            };
            /** @description Sets personal settings of the caller for channels that the caller is subscribed to. */
            "POST /users/me/subscriptions/properties": {
                params: {
                    subscription_data: {
                        property: string;
                        stream_id: number;
                        value: boolean | string;
                    }[];
                };
                result: Record<string, never>;
            };
            /** @description Runs a command such as `/night`. */
            "POST /zcommand": {
                params: {
                    /** @description `/ping`, `/day`, `/light`, `/night`, `/dark`, `/fluid-width`, `/fixed-width` */
                    command: string;
                };
                result: Record<string, never>;
            };
            /** @description Stores texts by key in the caller's storage. */
            "PUT /bot_storage": {
                params: {
                    storage: {
                        [key: string]: string;
                    };
                };
                result: Record<string, never>;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
