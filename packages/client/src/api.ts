// A function and types for each operation of the interface; made by `npm run docs`, not by hand.
// @ts-nocheck
/**
 * Tocsin
 * 0.1.0
 * DO NOT MODIFY - This file has been generated using oazapfts.
 * See https://www.npmjs.com/package/oazapfts
 */
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "/"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
    server1: "/"
};
export type AlarmHistory = {
    /** The id of the entry. */
    id: number;
    /** The id of the alarm. */
    tagId: number;
    /** Its name when it was raised. */
    tagName: string;
    /** Its text when it was raised. */
    message: string;
    /** Its priority when it was raised. */
    priority: number;
    /** When it was raised. */
    alarmTime: string;
    /** When it was acknowledged, if it was. */
    ackTime?: string;
    /** When it was back to normal, if it is. */
    resetTime?: string;
    /** From raise to return to normal. */
    alarmDuration?: string;
    /** From raise to acknowledgement. */
    reactionDuration?: string;
    /** From acknowledgement to return to normal, if in that order. */
    interventionDuration?: string;
    /** The newest comment; empty when there is none. */
    comment: string;
    /** The id of the station. With `view=full`. */
    stationId?: number;
    /** Whether it is an alarm of Tocsin itself. With `view=full`. */
    system?: boolean;
    /** Who acknowledged it, if somebody did. With `view=full`. */
    ackUser?: string;
    /** `alarmDuration` in seconds. With `view=full`. */
    alarmSeconds?: number;
    /** `reactionDuration` in seconds. With `view=full`. */
    reactionSeconds?: number;
    /** `interventionDuration` in seconds. With `view=full`. */
    interventionSeconds?: number;
};
export type FieldProblem = {
    /** The field, as in `alarmActions[2].id`. */
    field: string;
    /** What it must be, or why it is refused. */
    message: string;
};
export type Problem = {
    /** Where this kind of problem is explained. */
    "type": string;
    /** The kind of problem in a few words; the same for each code. */
    title: string;
    /** The HTTP status again. */
    status: number;
    /** What was wrong with this request. */
    detail: string;
    /** The kind of problem, for programs; there may be others later. `malformed-json`: The body is not valid JSON; `invalid-input`: A field is malformed or out of bounds; `not-signed-in`: No valid access token was given; `scope-missing`: The token lacks the scope for this; `bad-signature`: The signature is not valid; `not-found`: There is nothing at this address; `method-not-allowed`: This address does not take that method; `request-timeout`: The request did not arrive in time; `name-taken`: The name is taken already; `already-done`: This has been done already; `changed-since`: This has changed since; `still-referred-to`: Something else still refers to this; `not-empty`: The installation is in use already; `not-acknowledged`: The alarm is not acknowledged yet; `precondition-failed`: This is not the version that was named; `body-too-large`: The body is too large; `unsupported-media-type`: The content type is not accepted here; `unprocessable`: The request names something that does not exist or is not allowed; `headers-too-large`: The headers are too large; `too-many-requests`: Too many requests; `internal`: Something went wrong inside Tocsin; `unavailable`: Tocsin cannot take this right now. */
    code: string;
    /** Identifies this request in the server log. */
    requestId: string;
    /** The fields that were refused, at most 20. */
    errors?: FieldProblem[];
};
export type AlarmEvent = {
    /** When it happened. */
    time: string;
    /** What happened. */
    event: string;
    /** Who did it. */
    actor: string;
    /** The values that belong to the event. */
    data: {
        [key: string]: any;
    };
};
export type SortById = "+id" | "-id" | "id" | " id";
export type ListView = "full";
export type Paging = {
    /** How many entries were skipped. */
    offset: number;
    /** The limit that was applied. */
    limit: number;
    /** How many entries match the filter, exactly. */
    total: number;
};
export type AlarmHistoryPage = {
    /** The page. */
    items: AlarmHistory[];
    paging: Paging;
};
export type AlarmStatistic = {
    /** The id of the alarm. */
    id: number;
    /** The name of the alarm. */
    tagName: string;
    /** The latest message. */
    message: string;
    /** 1 is the most urgent. */
    priority: number;
    /** The short message when that is a whole number of 31 bits, else 0. */
    code: number;
    /** How many occurrences were raised in the period. */
    failureNumber: number;
    /** How long they were active in all. */
    failureTotalTime: string;
    /** How long one was active on average. */
    failureMeanTime: string;
    /** Whether it is an alarm of Tocsin itself. With `view=full`. */
    system?: boolean;
    /** `failureTotalTime` in seconds. With `view=full`. */
    failureTotalSeconds?: number;
    /** `failureMeanTime` in seconds. With `view=full`. */
    failureMeanSeconds?: number;
};
export type PagingWithoutOffset = {
    /** The limit that was applied. */
    limit: number;
    /** How many entries match the filter, exactly. */
    total: number;
};
export type AlarmStatisticPage = {
    /** The page. */
    items: AlarmStatistic[];
    paging: PagingWithoutOffset;
};
export type AlarmIntervention = {
    /** The id of the user. */
    id: number;
    /** The display name of the user, else first and last name, else the name. */
    user: string;
    /** How many occurrences the user acknowledged. */
    interventionNumber: number;
    /** From raise to acknowledgement, on average. */
    reactionMeanTime: string;
    /** From acknowledgement to return to normal, on average; 0 when there was none. */
    interventionMeanTime: string;
};
export type AlarmInterventionPage = {
    /** The page. */
    items: AlarmIntervention[];
    paging: PagingWithoutOffset;
};
export type AlarmSpan = {
    /** When the span begins. */
    time: string;
    /** How many alarms were raised in it. */
    "number": number;
    /** How many of priority 1, 2, 3, and of 4 with all above. With `by=priority`. */
    byPriority?: number[];
};
export type AlarmSeries = {
    /** The beginning of the period. */
    "from": string;
    /** Its end. */
    to: string;
    /** All spans of the period, in order, also those without an alarm. */
    items: AlarmSpan[];
};
export type EventCondition = {
    /** What the value is compared with; empty: no condition. */
    value: string;
    /** Whether it returns to normal at the moment it is raised. */
    transitory: boolean;
    /** Whether a raise while it is active begins a new occurrence. */
    reactivatable: boolean;
    /** Otherwise it stays active until somebody resets it. */
    resettable: boolean;
};
export type Beacon = {
    /** What the beacon calls itself. */
    id?: string;
    /** Its name. */
    name?: string;
    /** Undefined, Wifi, Bluetooth, Nfc, Dect, Radio, in upper or lower case; any other is stored unchanged. */
    "type"?: string;
    /** How far away it may be, in metres. */
    accuracy?: number;
    /** When it was seen. */
    date?: string;
};
export type Location = {
    /** In degrees. */
    latitude?: number;
    /** In degrees. */
    longitude?: number;
    /** In metres. */
    horizontalAccuracy?: number;
    /** In metres. */
    altitude?: number;
    /** In metres. */
    verticalAccuracy?: number;
    /** When the position was taken. */
    date?: string;
    /** The beacons that were in range. */
    beaconList?: Beacon[];
    /** The name of the place; `{zone}` in formats. */
    zone?: string;
};
export type Action = {
    /** What it does: CallGroup, CallUser, PlaySound, ExecuteCommand, StopCommand; any other does nothing. */
    "type": string;
    /** The group or user to call; 0: none. */
    id: number;
    /** The script of a command; 0: none. */
    scriptId: number;
    /** The delay of a call, the media name of a sound, the argument of a script. */
    parameter: string;
    /** 2: the target may see and acknowledge the alarm, but is not called. */
    flags: number;
};
export type AlarmActions = {
    /** When it is raised. */
    alarm: Action[];
    /** When it returns to normal. */
    reset: Action[];
    /** When it is acknowledged. */
    ack: Action[];
};
export type CalledPerson = {
    /** The id of the user. */
    userId: number;
    /** Whether the person is called as relief. */
    relief: boolean;
    /** As in call histories. */
    status: number;
    /** Why the person is called, or is called no longer. */
    reason: string;
    /** The code of the reason, the same in every language. */
    reasonCode?: string;
};
export type RunningCall = {
    /** The id of the call. */
    id: number;
    /** The group that is called. */
    callGroupId?: number;
    /** Set for a call to one person. */
    userId?: number;
    /** What the call is doing. `calling`: people are being called; `waiting`: nobody can be called at present; `pausing`: between two rounds; `ended`: nobody is called any more. */
    phase: "calling" | "waiting" | "pausing" | "ended";
    /** How often the call has started from the beginning. */
    round: number;
    /** Why it is in this phase. */
    reason: string;
    /** The code of the reason, the same in every language. */
    reasonCode?: string;
    /** When something happens next. */
    nextStep?: string;
    /** The attempts of this round. */
    people: CalledPerson[];
};
export type Alarm = {
    /** The id of the alarm. */
    id: number;
    /** The id of the data server of the tag. */
    dataServerId: number;
    /** The path of the tag. */
    path: string;
    /** The name of the data server, a backslash, and the path. */
    fullPath: string;
    /** The name of the alarm, unique. */
    name: string;
    /** The name in the requested language; the plain name if there is none. */
    localizedName: string;
    /** The last value of the tag; empty when there is none. */
    value: string;
    /** The text of the alarm; of a system alarm in the requested language; empty when there is none. */
    message: string;
    /** The text of its return to normal; empty when there is none. */
    resetMessage: string;
    /** The text of its acknowledgement; empty when there is none. */
    ackMessage: string;
    /** 1 is the most urgent. */
    priority: number;
    /** Bit 0: active, bit 1: not acknowledged. `0`: normal; `1`: active and acknowledged; `2`: back to normal and not acknowledged; `3`: active and not acknowledged. */
    state: 0 | 1 | 2 | 3;
    /** Whether it is masked: nobody is called for it. */
    masked: boolean;
    /** The latest raise, with the offset of the server's time zone. */
    alarmTime: string;
    /** The last change: UTC, without offset. */
    lastChange: string;
    /** Who acknowledged it; empty when there is none. */
    ackUser: string;
    /** The media name of the file attached to the alarm; empty when there is none. */
    attachedFile: string;
    /** That of its return to normal; empty when there is none. */
    resetAttachedFile: string;
    /** That of its acknowledgement; empty when there is none. */
    ackAttachedFile: string;
    /** The newest comment; empty when there is none. */
    comment: string;
    /** Names by language tag. */
    names?: {
        [key: string]: string;
    };
    /** What happens if nobody does anything; empty if it is not known. */
    consequence?: string;
    /** What to do; empty if there is nothing special. */
    instructions?: string;
    /** The id of the station. */
    stationId?: number;
    /** Whether it is an alarm of Tocsin itself, to which no source can write. */
    system?: boolean;
    /** The id of the tag group. */
    tagGroupId?: number;
    eventCondition?: EventCondition;
    location?: Location;
    /** When the newest occurrence was back to normal. */
    resetTime?: string;
    /** When the newest occurrence was acknowledged. */
    ackTime?: string;
    /** The user who acknowledged it; absent for an API key. */
    ackUserId?: number;
    /** The latest entry of the history. */
    occurrenceId?: number;
    /** How often it was raised. */
    occurrences?: number;
    /** The ISA-18.2 name of the state. `NORM`: normal; `UNACK`: active and not acknowledged; `ACKED`: active and acknowledged; `RTNUN`: back to normal and not acknowledged; `SHLVD`: masked, in any state. */
    isaState?: "NORM" | "UNACK" | "ACKED" | "RTNUN" | "SHLVD";
    /** When the acknowledgement expires: if the alarm is still active then, it is unacknowledged again and is called. */
    ackUntil?: string;
    /** When the mask ends. */
    maskedUntil?: string;
    /** Who masked it. */
    maskedBy?: string;
    /** Why it was masked. */
    maskReason?: string;
    actions?: AlarmActions;
    /** The calls in progress for the alarm. */
    calls?: RunningCall[];
};
export type AlarmPage = {
    /** The page. */
    items: Alarm[];
    paging: Paging;
};
export type EventConditionBody = {
    /** A plain value means equals; the prefixes `!= > >= < <= & !&` select another comparison. */
    value?: string | null;
    /** Returns to normal by itself at once. */
    transitory?: boolean | null;
    /** A repeated report begins a new occurrence. */
    reactivatable?: boolean | null;
    /** If false, the alarm stays active until an operator resets it. */
    resettable?: boolean | null;
};
export type BeaconBody = {
    /** What the beacon calls itself. */
    id?: string | null;
    /** Its name. */
    name?: string | null;
    /** Undefined, Wifi, Bluetooth, Nfc, Dect, Radio, in upper or lower case; any other is stored unchanged. */
    "type"?: string | null;
    /** How far away it may be, in metres. */
    accuracy?: number | null;
    /** When it was seen. */
    date?: string | null;
};
export type LocationBody = {
    /** In degrees. */
    latitude?: number | null;
    /** In degrees. */
    longitude?: number | null;
    /** In metres. */
    horizontalAccuracy?: number | null;
    /** In metres. */
    altitude?: number | null;
    /** In metres. */
    verticalAccuracy?: number | null;
    /** When the position was taken. */
    date?: string | null;
    /** The beacons in range. */
    beaconList?: (BeaconBody | null)[] | null;
    /** The name of the place; `{zone}` in formats. */
    zone?: string | null;
};
export type ActionBody = {
    /** The group or user to call. */
    id?: number | null;
    /** CallGroup, CallUser, PlaySound, ExecuteCommand, StopCommand. Any other type is stored and does nothing. */
    "type"?: string | null;
    /** The script of a command. Not given, or 0: none is named. */
    scriptId?: number | null;
    /** For a call: its delay in seconds. For a sound: its media name. For a command: the parameter of the script. */
    parameter?: string | null;
    /** 2: the target may see and acknowledge the alarm, but is not called. */
    flags?: number | null;
};
export type AlarmBody = {
    /** The station. Not given, or 0: none is named. */
    stationId?: number | null;
    /** The data server of the tag. Not given, or 0: none is named. */
    dataServerId?: number | null;
    /** The tag. If the path exists, its alarm is changed. Either this or `alarmMessage` is required. */
    path?: string | null;
    /** If not given: whether the value meets the condition; without value or condition, true. */
    raised?: boolean | null;
    /** The tag group. Not given, or 0: none is named. */
    tagGroupId?: number | null;
    /** 1 is the most urgent. Not given, or 0: 3. */
    priority?: number | null;
    /** If true, it is removed once it was raised and is back at rest; its history stays. */
    temporary?: boolean | null;
    eventCondition?: EventConditionBody | null;
    /** The current value of the tag. */
    value?: string | null;
    location?: LocationBody | null;
    /** Seconds the condition must hold before the alarm is raised. */
    alarmDelay?: number | null;
    /** The text when it is raised. */
    alarmMessage?: string | null;
    /** The template of what is sent when it is raised; empty: the text. */
    alarmFormat?: string | null;
    /** The text for SMS and pagers when it is raised. */
    alarmShortMessage?: string | null;
    /** The media name of the recording for when it is raised. */
    alarmVocalMessageFile?: string | null;
    /** The media name of the file to send when it is raised. */
    alarmAttachedFile?: string | null;
    /** What to do when it is raised. */
    alarmActions?: (ActionBody | null)[] | null;
    /** The text when it is back to normal. */
    resetMessage?: string | null;
    /** The template of what is sent when it is back to normal; empty: the text. */
    resetFormat?: string | null;
    /** The text for SMS and pagers when it is back to normal. */
    resetShortMessage?: string | null;
    /** The media name of the recording for when it is back to normal. */
    resetVocalMessageFile?: string | null;
    /** The media name of the file to send when it is back to normal. */
    resetAttachedFile?: string | null;
    /** What to do when it is back to normal. */
    resetActions?: (ActionBody | null)[] | null;
    /** The text when it is acknowledged. */
    ackMessage?: string | null;
    /** The template of what is sent when it is acknowledged; empty: the text. */
    ackFormat?: string | null;
    /** The text for SMS and pagers when it is acknowledged. */
    ackShortMessage?: string | null;
    /** The media name of the recording for when it is acknowledged. */
    ackVocalMessageFile?: string | null;
    /** The media name of the file to send when it is acknowledged. */
    ackAttachedFile?: string | null;
    /** What to do when it is acknowledged. */
    ackActions?: (ActionBody | null)[] | null;
    /** Names by language tag. */
    names?: {
        [key: string]: string | null;
    } | {
        [key: string]: string | null;
    };
    /** What happens if nobody does anything. */
    consequence?: string | null;
    /** What to do. */
    instructions?: string | null;
    /** When the source saw it; not given: now. A report that is older than the last one of the alarm is only recorded. */
    time?: string | null;
};
export type PriorityCounts = {
    /** The priority; the last one stands for itself and all that are less urgent. */
    priority: number;
    /** Those in state 0, at rest. */
    normal: number;
    /** Those in state 1. */
    activeAcknowledged: number;
    /** Those in state 2, back to normal and not acknowledged. */
    clearedUnacknowledged: number;
    /** Those in state 3. */
    activeUnacknowledged: number;
};
export type StateCounts = {
    /** Those in state 0, at rest. */
    normal: number;
    /** Those in state 1. */
    activeAcknowledged: number;
    /** Those in state 2, back to normal and not acknowledged. */
    clearedUnacknowledged: number;
    /** Those in state 3. */
    activeUnacknowledged: number;
};
export type AlarmCounts = {
    /** Priorities 1, 2, 3, and 4 with all above, without masked alarms and those of Tocsin itself. */
    priorities: PriorityCounts[];
    system: StateCounts;
    masked: StateCounts;
    /** All of them; the `paging.total` of a list with these filters. */
    total: number;
};
export type FullAlarm = {
    /** The id of the alarm. */
    id: number;
    /** The id of the data server of the tag. */
    dataServerId: number;
    /** The path of the tag. */
    path: string;
    /** The name of the data server, a backslash, and the path. */
    fullPath: string;
    /** The name of the alarm, unique. */
    name: string;
    /** The name in the requested language; the plain name if there is none. */
    localizedName: string;
    /** The last value of the tag; empty when there is none. */
    value: string;
    /** The text of the alarm; of a system alarm in the requested language; empty when there is none. */
    message: string;
    /** The text of its return to normal; empty when there is none. */
    resetMessage: string;
    /** The text of its acknowledgement; empty when there is none. */
    ackMessage: string;
    /** 1 is the most urgent. */
    priority: number;
    /** Bit 0: active, bit 1: not acknowledged. `0`: normal; `1`: active and acknowledged; `2`: back to normal and not acknowledged; `3`: active and not acknowledged. */
    state: 0 | 1 | 2 | 3;
    /** Whether it is masked: nobody is called for it. */
    masked: boolean;
    /** The latest raise, with the offset of the server's time zone. */
    alarmTime: string;
    /** The last change: UTC, without offset. */
    lastChange: string;
    /** Who acknowledged it; empty when there is none. */
    ackUser: string;
    /** The media name of the file attached to the alarm; empty when there is none. */
    attachedFile: string;
    /** That of its return to normal; empty when there is none. */
    resetAttachedFile: string;
    /** That of its acknowledgement; empty when there is none. */
    ackAttachedFile: string;
    /** The newest comment; empty when there is none. */
    comment: string;
    /** Names by language tag. */
    names: {
        [key: string]: string;
    };
    /** What happens if nobody does anything; empty if it is not known. */
    consequence: string;
    /** What to do; empty if there is nothing special. */
    instructions: string;
    /** The id of the station. */
    stationId: number;
    /** Whether it is an alarm of Tocsin itself, to which no source can write. */
    system: boolean;
    /** The id of the tag group. */
    tagGroupId?: number;
    eventCondition: EventCondition;
    location?: Location;
    /** When the newest occurrence was back to normal. */
    resetTime?: string;
    /** When the newest occurrence was acknowledged. */
    ackTime?: string;
    /** The user who acknowledged it; absent for an API key. */
    ackUserId?: number;
    /** The latest entry of the history. */
    occurrenceId?: number;
    /** How often it was raised. */
    occurrences: number;
    /** The ISA-18.2 name of the state. `NORM`: normal; `UNACK`: active and not acknowledged; `ACKED`: active and acknowledged; `RTNUN`: back to normal and not acknowledged; `SHLVD`: masked, in any state. */
    isaState: "NORM" | "UNACK" | "ACKED" | "RTNUN" | "SHLVD";
    /** When the acknowledgement expires: if the alarm is still active then, it is unacknowledged again and is called. */
    ackUntil?: string;
    /** When the mask ends. */
    maskedUntil?: string;
    /** Who masked it. */
    maskedBy?: string;
    /** Why it was masked. */
    maskReason?: string;
    actions: AlarmActions;
    /** The calls in progress for the alarm. */
    calls: RunningCall[];
};
export type AcknowledgeBody = {
    /** A comment to keep. */
    comment?: string | null;
    /** The user who takes the alarm, if not the caller; needs the scope `calls:control` as well. Not given, null or 0: none. */
    onBehalfOf?: number | null;
};
export type NoFields = {};
export type MaskBody = {
    /** When the mask ends. */
    until?: string | null;
    /** How long the mask lasts by the clock of the server, in place of `until`: for a client whose own may be wrong. */
    minutes?: number | null;
    /** Why. */
    reason: string;
};
export type CommentBody = {
    /** The comment. */
    comment: string;
};
export type AlarmScenarios = {
    /** The attached scenarios. */
    scenarioIds: number[];
};
export type AttachScenariosBody = {
    /** The scenarios to attach, and no others. */
    scenarioIds: number[];
};
export type TakenItem = {
    /** The id of the alarm. */
    id: number;
    /** What could not be used, and why. */
    warnings: string[];
};
export type TagValue = {
    /** Not given, or 0: the built-in data server. */
    dataServerId?: number | null;
    /** The tag. */
    path: string;
    /** Its value. */
    value: string;
    /** The source's own timestamp; a value older than its latest one is only logged. */
    time?: string | null;
};
export type SenderBody = {
    [key: string]: any;
};
export type MappedAlarms = {
    /** The alarms that were raised or returned. */
    ids: number[];
    /** What could not be used, and why. */
    warnings: string[];
};
export type AcknowledgeSeveralBody = {
    /** The alarms. */
    ids: number[];
    /** A comment to keep with each. */
    comment?: string | null;
    /** The user who takes the alarm, if not the caller; needs the scope `calls:control` as well. Not given, null or 0: none. */
    onBehalfOf?: number | null;
};
export type MaskSeveralBody = {
    /** The alarms. */
    ids: number[];
    /** When the mask ends. */
    until?: string | null;
    /** How long the mask lasts by the clock of the server, in place of `until`: for a client whose own may be wrong. */
    minutes?: number | null;
    /** Why. */
    reason: string;
};
export type UnmaskSeveralBody = {
    /** The alarms. */
    ids: number[];
};
export type Credentials = {
    /** Always `password`. */
    grant_type?: string | null;
    /** The name of the user. */
    username?: string | null;
    /** The password. */
    password?: string | null;
};
export type SignedIn = {
    /** The token for the header `Authorization`. */
    access_token: string;
    /** Always `bearer`. */
    token_type: "bearer";
    /** Seconds until the token expires. */
    expires_in: number;
    /** The session. */
    id: string;
    /** The user's name. */
    name: string;
};
export type OAuthError = {
    /** The kind of refusal, for programs. */
    error: string;
    /** What was wrong, for people. */
    error_description: string;
};
export type Session = {
    /** The id of the session. */
    id: number;
    /** The id of the user. */
    userId: number;
    /** The name of the user. */
    user: string;
    /** Where the sign-in came from. */
    address: string;
    /** When the user signed in. */
    createdTime: string;
    /** When the session ends by itself. */
    expiryTime: string;
    /** Whether it is the session of this request. */
    current: boolean;
};
export type SessionPage = {
    /** The page. */
    items: Session[];
    paging: Paging;
};
export type Scope = "alarms:read" | "alarms:write" | "alarms:ack" | "alarms:mask" | "history:read" | "calls:send" | "calls:read" | "calls:control" | "directory:read" | "directory:write" | "calendar:read" | "audit:read" | "commands:run" | "admin";
export type ApiKey = {
    /** The id of the key. */
    id: number;
    /** The name of the key. */
    name: string;
    /** What the key may do. */
    scopes: Scope[];
    /** The stations the key is bound to; empty means all. */
    stationIds: number[];
    /** Who made it. */
    createdBy: string;
    /** When it was made. */
    createdTime: string;
    /** When it expires. */
    expiryTime: string;
    /** When it was last used, to the minute; absent if it never was. */
    lastUsedTime?: string;
};
export type ApiKeyPage = {
    /** The page. */
    items: ApiKey[];
    paging: Paging;
};
export type ApiKeyBody = {
    /** The name of the key. */
    name: string;
    /** What the key may do. */
    scopes: Scope[];
    /** The stations the key is bound to; empty means all. */
    stationIds?: number[] | null;
    /** When the key expires. */
    expiryTime: string;
};
export type NewApiKey = {
    /** The id of the key. */
    id: number;
    /** The token for the header `Authorization`; shown only here. */
    token: string;
};
export type Role = "administrator" | "supervisor" | "operator" | "observer" | "source";
export type OwnAccess = {
    /** The id of the user; absent for an API key. */
    userId?: number;
    /** The name of the user or of the API key. */
    name: string;
    role?: Role;
    /** What the token may be used for. */
    scopes: Scope[];
    /** The stations the caller is bound to; empty means all. */
    stationIds: number[];
    /** The language of the user; without one, and for an API key, that of the call policy. */
    language: string;
    /** The time zone of the user; for an API key that of the server. */
    timeZone: string;
    /** When the token expires. */
    expiryTime: string;
};
export type Station = {
    /** The id of the station. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
    /** The scenarios that run for its alarms in addition to their own actions. */
    scenarioIds: number[];
};
export type StationPage = {
    /** The page. */
    items: Station[];
    paging: Paging;
};
export type StationBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** The scenarios to attach, and no others; not given: those there are stay. One that runs scripts needs the scope `commands:run`. */
    scenarioIds?: number[] | null;
};
export type Placeholder = {
    /** Who gave the number. */
    caller: string;
    /** The number that was given. */
    dataServerId: number;
    /** The data server that the number means since its tags were moved. */
    movedTo?: number;
};
export type DataServer = {
    /** The id of the data server. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
    /** The station it belongs to. */
    stationId: number;
    /** Created with its station. The one that is not `system` receives the alarms that name no data server. */
    builtIn: boolean;
    /** Holds the alarms of Tocsin itself; no caller's report reaches it. */
    system: boolean;
    placeholder?: Placeholder;
};
export type DataServerPage = {
    /** The page. */
    items: DataServer[];
    paging: Paging;
};
export type DataServerBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** The station it belongs to; not given, or 0: station 1. */
    stationId?: number | null;
};
export type TagGroup = {
    /** The id of the tag group. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
    /** The station it belongs to. */
    stationId: number;
    /** The scenarios that run for its alarms in addition to their own actions. */
    scenarioIds: number[];
};
export type TagGroupPage = {
    /** The page. */
    items: TagGroup[];
    paging: Paging;
};
export type TagGroupBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** The station it belongs to; not given, or 0: station 1. */
    stationId?: number | null;
    /** The scenarios to attach, and no others; not given: those there are stay. One that runs scripts needs the scope `commands:run`. */
    scenarioIds?: number[] | null;
};
export type TagMove = {
    /** The data server that the tags move to. */
    dataServerId: number;
};
export type Channel = "voice" | "sms" | "email" | "webhook" | "push" | "pager" | "simulator";
export type PriorityRange = {
    /** A priority; 1 is the most urgent. */
    "from": number;
    /** A priority; 1 is the most urgent. */
    to: number;
} | null;
export type FollowUps = {
    /** That somebody else took the alarm, and who. */
    taken: boolean;
    /** That the alarm is back to normal. */
    back: boolean;
};
export type ContactNumber = {
    /** The id of the number. */
    id: number;
    channel: Channel;
    /** A telephone number, an e-mail address or a URL, depending on the channel. */
    address: string;
    /** Otherwise it is passed over. */
    valid: boolean;
    /** Somebody was reached there. */
    verified: boolean;
    /** It rings until the call is acknowledged; otherwise it gets a notice of each alarm the user is called for. */
    final: boolean;
    /** How often it is tried before the next number. */
    countTry: number;
    /** Seconds between two tries. */
    timeToRetry: number;
    /** How often it is repeated when nobody acknowledged. */
    countAck: number;
    /** Seconds to wait for the acknowledgement. */
    timeToAck: number;
    /** 1: being reached counts as acknowledged, as with a pager. */
    ackAutoDefault: number;
    /** When it may be used; null: always. */
    scheduleId: number | null;
    priorities: PriorityRange;
    followUps: FollowUps;
};
export type Identity = {
    /** What it is. `email`: a mail account; `chat`: an account of a chat. */
    kind: "email" | "chat";
    /** The account. */
    address: string;
};
export type User = {
    /** The id of the user. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** The first name. Empty when there is none. */
    firstName: string;
    /** The last name. Empty when there is none. */
    lastName: string;
    /** How the user is named where people read it; without one, first and last name, else the name. Empty when there is none. */
    displayName: string;
    /** The language of what is said and written to the user. Empty: the default language of the call policy. */
    language: string;
    /** The time zone of the user. */
    timeZone: string;
    role: Role;
    /** A number that clients of the interface keep for the user; it has no effect. */
    statusId: number;
    /** Otherwise nobody calls the user, in any group. */
    onDuty: boolean;
    /** Who is called in their place, in all groups. */
    replacedById: number | null;
    /** No person but something that is called like one. */
    virtual: boolean;
    /** The stations the user is bound to; empty means all. */
    stationIds: number[];
    /** Tried in this order. */
    numbers: ContactNumber[];
    /** The accounts that answers of the user may come from, besides their numbers. */
    identities: Identity[];
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
};
export type UserPage = {
    /** The page. */
    items: User[];
    paging: Paging;
};
export type PriorityRangeBody = {
    /** A priority; 1 is the most urgent. */
    "from": number;
    /** A priority; 1 is the most urgent. */
    to: number;
};
export type FollowUpsBody = {
    /** That somebody else took the alarm, and who. */
    taken?: boolean | null;
    /** That the alarm is back to normal. */
    back?: boolean | null;
};
export type ContactNumberBody = {
    /** The id of the existing number that this one replaces; any other id is ignored. */
    id?: number | null;
    channel: Channel;
    /** A telephone number, an e-mail address or a URL, depending on the channel. */
    address: string;
    /** Otherwise it is passed over. */
    valid?: boolean | null;
    /** Somebody was reached there. */
    verified?: boolean | null;
    /** It rings until the call is acknowledged; otherwise it gets a notice of each alarm the user is called for. */
    final?: boolean | null;
    /** How often it is tried before the next number. */
    countTry?: number | null;
    /** Seconds between two tries. */
    timeToRetry?: number | null;
    /** How often it is repeated when nobody acknowledged. */
    countAck?: number | null;
    /** Seconds to wait for the acknowledgement. */
    timeToAck?: number | null;
    /** 1: being reached counts as acknowledged, as with a pager. */
    ackAutoDefault?: number | null;
    /** When it may be used. Not given, null or 0: none. */
    scheduleId?: number | null;
    priorities?: PriorityRangeBody | null;
    followUps?: FollowUpsBody | null;
};
export type UserBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** The first name. */
    firstName?: string | null;
    /** The last name. */
    lastName?: string | null;
    /** How the user is named where people read it; without one, first and last name, else the name. */
    displayName?: string | null;
    /** The language of what is said and written to the user. Not given or empty: the default language of the call policy. */
    language?: string | null;
    /** The time zone of the user. Not given: the server's. */
    timeZone?: string | null;
    role?: Role | null;
    /** A number that clients of the interface keep for the user; it has no effect. */
    statusId?: number | null;
    /** Otherwise nobody calls the user, in any group. */
    onDuty?: boolean | null;
    /** Who is called in their place, in all groups. Not given, null or 0: none. */
    replacedById?: number | null;
    /** No person but something that is called like one. */
    virtual?: boolean | null;
    /** The stations the user is bound to; empty means all. Not given: those there are stay. */
    stationIds?: number[] | null;
    /** Asked for on the telephone; 1 to 9 digits. Never shown. Not given: unchanged; null: no PIN. */
    pin?: string | null;
    /** Never shown. Not given: unchanged. Setting it ends the sessions of the user. */
    password?: string | null;
    /** Tried in this order. */
    numbers?: ContactNumberBody[] | null;
    /** The accounts that answers of the user may come from, besides their numbers. */
    identities?: Identity[] | null;
};
export type TeamMember = {
    /** The id of the user. */
    userId: number;
    /** Called when the others were not reached. */
    relief: boolean;
};
export type Team = {
    /** The id of the team. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** In plans. */
    colour: string;
    /** In the order in which they are called in turn. */
    members: TeamMember[];
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
};
export type TeamPage = {
    /** The page. */
    items: Team[];
    paging: Paging;
};
export type TeamMemberBody = {
    /** The id of the user. */
    userId: number;
    /** Called when the others were not reached. */
    relief?: boolean | null;
};
export type TeamBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** In plans. */
    colour?: string | null;
    /** In the order in which they are called in turn. */
    members?: TeamMemberBody[] | null;
};
export type CallMode = "all" | "turn";
export type ReliefMode = "nobodyReached" | "perUser";
export type CallGroup = {
    /** The id of the call group. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** Names by language tag. */
    names: {
        [key: string]: string;
    };
    /** The id of the station it belongs to. */
    stationId: number;
    /** Whose clock its times are of. */
    timeZone: string;
    callMode: CallMode;
    reliefMode: ReliefMode;
    /** The group that is called when this one was not reached. */
    reliefGroupId: number | null;
    /** Seconds that the people on duty, their relief and each relief group have to take an alarm before the next of them are called as well; 0: no limit. Null: as the call policy says. */
    timeToTake: number | null;
    /** If false, a call waits for the next person on duty. */
    discardWhenNobodyOnCall: boolean;
    /** In the order in which they are called. */
    teamIds: number[];
    /** Which of the teams has the duty; null: all of them, always. */
    scheduleId: number | null;
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
};
export type CallGroupPage = {
    /** The page. */
    items: CallGroup[];
    paging: Paging;
};
export type CallGroupBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** Names by language tag. */
    names?: {
        [key: string]: string | null;
    } | {
        [key: string]: string | null;
    };
    /** Not given, or 0: unchanged; for a new one, your only station, else station 1. */
    stationId?: number | null;
    /** Not given: the server's. */
    timeZone?: string | null;
    callMode?: CallMode | null;
    reliefMode?: ReliefMode | null;
    /** The group that is called when this one was not reached. Not given, null or 0: none. */
    reliefGroupId?: number | null;
    /** Seconds that the people on duty, their relief and each relief group have to take an alarm before the next of them are called as well; 0: no limit. Not given or null: as the call policy says. */
    timeToTake?: number | null;
    /** If false, a call waits for the next person on duty. */
    discardWhenNobodyOnCall?: boolean | null;
    /** In the order in which they are called. */
    teamIds?: number[] | null;
    /** Which of the teams has the duty. Not given, null or 0: none. */
    scheduleId?: number | null;
};
export type CallGroupGrouping = {
    /** The id of the grouping. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** The id of the station it belongs to. */
    stationId: number;
    /** The call groups it contains. */
    callGroupIds: number[];
    /** The groupings it contains, without cycles. */
    groupingIds: number[];
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
};
export type CallGroupGroupingPage = {
    /** The page. */
    items: CallGroupGrouping[];
    paging: Paging;
};
export type CallGroupGroupingBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** Not given, or 0: unchanged; for a new one, your only station, else station 1. */
    stationId?: number | null;
    /** The call groups it contains. */
    callGroupIds?: number[] | null;
    /** The groupings it contains, without cycles. */
    groupingIds?: number[] | null;
};
export type Holidays = {
    /** The holidays. */
    dates: string[];
    /** A calendar whose events are holidays. Null: none. */
    icalUrl: string | null;
    /** The days last read from that calendar, which count beside `dates`; after a change of the address those of the former one, until the new one was read. A change ignores them. */
    icalDates: string[];
};
export type DutyDay = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun" | "holiday";
export type WeeklyDuty = {
    /** The id of the team that has the duty. */
    teamId: number;
    /** The days. On a holiday only `holiday` applies, not the weekday. */
    days: DutyDay[];
    /** When the duty begins. */
    "from": string;
    /** When it ends. If not after `from`, it is on the next day. `24:00` is the end of the day. */
    to: string;
};
export type Rotation = {
    /** The teams in turn; a team may appear more than once. */
    teamIds: number[];
    /** How long a turn is, in hours, days or weeks. */
    every: string;
    /** When the duty is handed over. */
    handOver: string;
    /** The day of the first turn. */
    start: string;
    /** The days on which the team of the turn has the duty, as in weekly entries. Null: all, with holidays. */
    days: DutyDay[] | null;
    /** When the duty begins on these days; a shift that contains a hand-over is shared. Null: the whole day. */
    "from": string | null;
    /** When it ends. Null: the whole day. */
    to: string | null;
};
export type Override = {
    /** The id of the override. */
    id: number;
    /** Who has the duty: a team, */
    teamId: number | null;
    /** or one person. */
    userId: number | null;
    /** Local time in the zone of the schedule, unless it has an offset. */
    "from": string;
    /** Local time in the zone of the schedule, unless it has an offset. */
    to: string;
    /** Why, for people. */
    reason: string;
    /** Nobody is called. */
    lock: boolean;
    /** The swap that it is part of; null: none. */
    swapId: number | null;
};
export type Schedule = {
    /** The id of the schedule. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** Whose clock the times are of. */
    timeZone: string;
    holidays: Holidays;
    /** What recurs every week. */
    weekly: WeeklyDuty[];
    /** Teams in turn. */
    rotations: Rotation[];
    /** Exceptions. */
    overrides: Override[];
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
};
export type SchedulePage = {
    /** The page. */
    items: Schedule[];
    paging: Paging;
};
export type HolidaysBody = {
    /** The holidays. */
    dates?: string[] | null;
    /** A calendar whose events are holidays. */
    icalUrl?: string | null;
};
export type RotationBody = {
    /** The teams in turn; a team may appear more than once. */
    teamIds: number[];
    /** How long a turn is, in hours, days or weeks. */
    every: string;
    /** When the duty is handed over. */
    handOver: string;
    /** The day of the first turn. */
    start: string;
    /** The days on which the team of the turn has the duty, as in weekly entries. Not given: all, with holidays. */
    days?: DutyDay[] | null;
    /** When the duty begins on these days; a shift that contains a hand-over is shared. Not given: 00:00. */
    "from"?: string | null;
    /** When it ends. If not after `from`, it is on the next day. `24:00` is the end of the day. */
    to?: string | null;
};
export type ScheduleOverrideBody = {
    /** The id of the existing override that this one replaces; any other id is ignored. */
    id?: number | null;
    /** Who has the duty: a team, Not given, null or 0: none. */
    teamId?: number | null;
    /** or one person. Not given, null or 0: none. */
    userId?: number | null;
    /** Local time in the zone of the schedule, unless it has an offset. */
    "from": string;
    /** Local time in the zone of the schedule, unless it has an offset. */
    to: string;
    /** Why, for people. */
    reason?: string | null;
    /** Nobody is called. */
    lock?: boolean | null;
};
export type ScheduleBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** Whose clock the times are of; not given: the server's. */
    timeZone?: string | null;
    holidays?: HolidaysBody | null;
    /** What recurs every week. */
    weekly?: WeeklyDuty[] | null;
    /** Teams in turn. */
    rotations?: RotationBody[] | null;
    /** Exceptions. A PUT looks at them only with `If-Match`; not given: they stay as they are. */
    overrides?: ScheduleOverrideBody[] | null;
};
export type Scenario = {
    /** The id of the scenario. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** Null: for every station. */
    stationId: number | null;
    /** What to do when an alarm is raised. */
    alarmActions: Action[];
    /** What to do when it is back to normal. */
    resetActions: Action[];
    /** What to do when it is acknowledged. */
    ackActions: Action[];
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
};
export type ScenarioPage = {
    /** The page. */
    items: Scenario[];
    paging: Paging;
};
export type ScenarioBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** The station it is for, instead of every one. Not given, null or 0: none. */
    stationId?: number | null;
    /** What to do when an alarm is raised. */
    alarmActions?: ActionBody[] | null;
    /** What to do when it is back to normal. */
    resetActions?: ActionBody[] | null;
    /** What to do when it is acknowledged. */
    ackActions?: ActionBody[] | null;
};
export type OwnUserBody = {
    /** The language of what is said and written to the user. Not given or empty: the default language of the call policy. */
    language?: string | null;
    /** The time zone of the user. Not given: the server's. */
    timeZone?: string | null;
    /** Otherwise nobody calls the user, in any group. */
    onDuty?: boolean | null;
    /** Asked for on the telephone; 1 to 9 digits. Never shown. Not given: unchanged; null: no PIN. */
    pin?: string | null;
    /** Tried in this order. */
    numbers?: ContactNumberBody[] | null;
};
export type DutyBody = {
    /** Otherwise nobody calls the user, in any group. */
    onDuty?: boolean | null;
    /** Who is called in their place, in all groups; 0: nobody. Not given, null or 0: none. */
    replacedById?: number | null;
};
export type SavedView = {
    /** Its name. */
    name: string;
    /** The filters as the query of an address; kept as it is sent. */
    query: string;
    /** The columns, in their order; empty: the usual ones. */
    columns: string[];
    /** The order; empty: the usual one. */
    sort: string;
};
export type SharedView = {
    /** Its name. */
    name: string;
    /** The filters as the query of an address; kept as it is sent. */
    query: string;
    /** The columns, in their order; empty: the usual ones. */
    columns: string[];
    /** The order; empty: the usual one. */
    sort: string;
    /** The station at which it is shared; absent: all. */
    stationId?: number;
};
export type Views = {
    /** The views, in their order. */
    views: SavedView[];
    /** The views that others share. */
    shared: SharedView[];
};
export type SavedViewBody = {
    /** Its name. */
    name: string;
    /** The filters as the query of an address; kept as it is sent. */
    query?: string | null;
    /** The columns, in their order; empty: the usual ones. */
    columns?: string[] | null;
    /** The order; empty: the usual one. */
    sort?: string | null;
};
export type ViewsBody = {
    /** All views, in their order. */
    views: SavedViewBody[];
};
export type ViewList = {
    /** The views, in their order. */
    views: SavedView[];
};
export type Source = {
    /** What it is. `key`: an API key that may send alarms; `dataServer`: a data server. */
    kind: "key" | "dataServer";
    /** The id of the key or data server. */
    id: number;
    /** Its name. */
    name: string;
    /** The station of a data server, or those that a key is bound to; empty: all. */
    stationIds: number[];
    /** When an alarm or a value last came; absent if none has. */
    lastTime?: string;
    /** The usual time between two of them; absent if it is not known yet. */
    usualSeconds?: number;
    /** The silence after which something is wrong; absent if the source is not regular, or not known for a day. */
    silentAfterSeconds?: number;
    /** Whether it is silent for longer than that. */
    silent: boolean;
};
export type SourcePage = {
    /** The page. */
    items: Source[];
    paging: Paging;
};
export type UnopenedProvider = {
    /** The id of the provider. */
    providerId: number;
    /** Why the node cannot use it. */
    reason: string;
};
export type NodeReport = {
    /** The id of the node. */
    id: string;
    /** Where other nodes reach it. */
    address: string;
    /** When it last reported. */
    seenTime: string;
    /** Whether it is the one that answers. */
    self: boolean;
    /** The scripts that it can run; missing if it has no folder of scripts. */
    scriptIds?: number[];
    /** The providers that the node cannot use, mostly because its key for their secrets is another one; missing if there are none. Other nodes carry their calls. */
    unopenedProviders?: UnopenedProvider[];
};
export type CallingReport = {
    /** Whether people can be called. */
    ok: boolean;
    /** Whether only simulated phones ring. */
    simulated: boolean;
    /** Everything that is wrong. */
    reasons: string[];
};
export type WorkKind = "attempt" | "cause" | "alarm" | "acknowledgement" | "move" | "mail" | "calendar" | "hand-over" | "source" | "audit" | "purge" | "seal" | "demo";
export type QuarantinedWork = {
    kind: WorkKind;
    /** Its id: of an attempt as in the call history, of a schedule for its calendar; 0 for work that is there once. */
    id: number;
    /** Who was called; empty for other work. */
    user: string;
    /** What becomes of it. `suspect`: it was under way at two unexpected ends within ten minutes, and is begun last and alone; `failed`: it was under way alone at another, and was given up. */
    state: "suspect" | "failed";
    /** The unexpected ends, oldest first. */
    endTimes: string[];
};
export type SetAsideWork = {
    /** The id of the alarm that says so. */
    alarmId: number;
    /** What fails, in the language of `Accept-Language`. */
    message: string;
    /** When it is tried again; absent for calls that were given up. */
    retryTime?: string;
};
export type DatabaseReport = {
    /** `sqlite`: the embedded database; `postgres`: PostgreSQL. */
    kind: "sqlite" | "postgres";
    /** How long a small write takes; absent if it fails. */
    latencyMs?: number;
    /** Its size. */
    bytes: number;
};
export type DiskReport = {
    /** Free for Tocsin. */
    freeBytes: number;
    /** The whole disk. */
    totalBytes: number;
};
export type ProviderSelfTest = {
    /** When this node last checked it. */
    time: string;
    /** Whether it could be used. */
    ok: boolean;
    /** Why it could not; empty if it could. */
    reason: string;
};
export type ProviderReport = {
    /** The id of the provider. */
    id: number;
    /** Its name. */
    name: string;
    /** Its kind. */
    kind: string;
    /** Whether it is used. */
    enabled: boolean;
    /** Its state now. `up`: it worked; `down`: it failed at some time; `unknown`: it was neither used nor checked. */
    state: "up" | "down" | "unknown";
    /** Since when; absent if the state is unknown. */
    since?: string;
    /** Why it is down, in words. */
    reason: string;
    /** Deliveries under way, on all nodes. */
    inUse: number;
    selfTest?: ProviderSelfTest;
    /** Its state in the last 48 half-hours, the newest last. */
    halfHours: ("up" | "down" | "unknown")[];
    /** How many attempts of the last hour had which outcome, as in call histories; `underWay` and `delivered` have none yet. */
    lastHour: {
        [key: string]: number;
    };
};
export type ChannelReport = {
    /** The channel. */
    channel: string;
    /** Its providers, in the order of use. */
    providers: ProviderReport[];
    /** How many attempts of the last hour had which outcome, as in call histories; `underWay` and `delivered` have none yet. */
    lastHour: {
        [key: string]: number;
    };
};
export type HeartbeatReport = {
    /** Whether `TOCSIN_HEARTBEAT_URL` is set. */
    configured: boolean;
    /** When this node last sent it. */
    lastTime?: string;
    /** Whether it was received. */
    ok?: boolean;
    /** Why it was not. */
    reason?: string;
};
export type CertificateReport = {
    /** Whose it is. */
    subject: string;
    /** Who issued it. */
    issuer: string;
    /** When it expires. */
    expiryTime: string;
};
export type SettingReport = {
    /** Its name. */
    name: string;
    /** Its value, `***` for a secret; absent if it is not set and has no default. */
    value?: string;
    /** Whether its value is a secret. */
    secret: boolean;
};
export type SystemReport = {
    /** The version of Tocsin on this node. */
    version: string;
    /** When this node started. */
    startTime: string;
    /** How long it has been running. */
    uptimeSeconds: number;
    /** The nodes that serve this database now. */
    nodes: NodeReport[];
    calling: CallingReport;
    /** Work that is suspected of ending the server, or was given up for it; empty when all is well. */
    quarantine: QuarantinedWork[];
    /** Calls, delays, acknowledgements and moves that fail because of a fault in Tocsin, and wait so that they hold up no others; empty when all is well. */
    setAside: SetAsideWork[];
    database: DatabaseReport;
    disk?: DiskReport;
    /** The channels that have providers or were used in the last hour. */
    channels: ChannelReport[];
    heartbeat: HeartbeatReport;
    certificate?: CertificateReport;
    /** All settings of this node. */
    settings: SettingReport[];
};
export type DemoPlant = {
    /** Whether there is a demo plant; one that is being made or removed goes on after a restart. */
    state: "none" | "making" | "ready" | "removing";
    /** Whether one may be made now: the installation is empty. */
    possible: boolean;
    /** Why none may be made now. */
    reason?: string;
    /** When it was made. */
    madeTime?: string;
    /** Its stations. */
    stationIds?: number[];
    /** The id of the alarm that is raised first. */
    alarmId?: number;
    /** The id of the user whose phone rings first. */
    userId?: number;
    /** When the first alarm is raised; not given once it was. */
    raiseTime?: string;
};
export type NumberVerificationBody = {
    /** The code that was sent; not given: send one. */
    code?: string | null;
};
export type NumberVerification = {
    /** Whether a code was sent now. */
    sent: boolean;
    /** Whether the number is verified. */
    verified: boolean;
};
export type OverridePage = {
    /** The page. */
    items: Override[];
    paging: Paging;
};
export type OverrideBody = {
    /** Who has the duty: a team, Not given, null or 0: none. */
    teamId?: number | null;
    /** or one person. Not given, null or 0: none. */
    userId?: number | null;
    /** Local time in the zone of the schedule, unless it has an offset. */
    "from": string;
    /** Local time in the zone of the schedule, unless it has an offset. */
    to: string;
    /** Why, for people. */
    reason?: string | null;
    /** Nobody is called. */
    lock?: boolean | null;
};
export type SchedulePreviewBody = {
    schedule: ScheduleBody;
    /** The beginning of the period; not given: now. */
    "from"?: string | null;
    /** The end of the period; not given: 28 days later. */
    to?: string | null;
};
export type DutySlot = {
    /** The beginning. */
    "from": string;
    /** The end. */
    to: string;
    /** Who has the duty: a team, */
    teamId: number | null;
    /** or one person; neither: a gap, or the duty is locked. */
    userId: number | null;
    /** Whether nobody is called. */
    locked: boolean;
    /** The schedule entry that determines the holder. */
    source: string;
    /** Why, as the schedule says. */
    reason: string;
};
export type DutyGap = {
    /** The beginning. */
    "from": string;
    /** The end. */
    to: string;
};
export type DutyOverlap = {
    /** The two entries of the schedule. */
    entries: string[];
    /** The beginning. */
    "from": string;
    /** The end. */
    to: string;
    /** Number of overlaps in the period; `from` and `to` are those of the first. */
    times: number;
};
export type UnusedDuty = {
    /** The entry of the schedule. */
    entry: string;
    /** Why it never applies. */
    reason: string;
};
export type SchedulePreview = {
    /** Who has the duty when. */
    slots: DutySlot[];
    /** Times at which nobody has the duty. */
    gaps: DutyGap[];
    /** Two entries of one layer that name different holders for the same time; the later one wins. */
    overlaps: DutyOverlap[];
    /** Weekly entries and rotations that never apply. */
    unused: UnusedDuty[];
    /** There are more gaps or overlaps than are listed. */
    hasMore: boolean;
};
export type TakeDutyBody = {
    /** Who takes it, if not the caller. Not given, null or 0: none. */
    userId?: number | null;
    /** Local time in the zone of the schedule, unless it has an offset. */
    "from"?: string | null;
    /** Local time in the zone of the schedule, unless it has an offset. */
    to: string;
    /** Why, for people. */
    reason?: string | null;
};
export type SwapDutyBody = {
    /** Who takes the duty from `from` to `to`: a team, Not given, null or 0: none. */
    teamId?: number | null;
    /** or one person; neither: whoever has the duty in the period of return. Not given, null or 0: none. */
    userId?: number | null;
    /** Local time in the zone of the schedule, unless it has an offset. */
    "from": string;
    /** Local time in the zone of the schedule, unless it has an offset. */
    to: string;
    /** Local time in the zone of the schedule, unless it has an offset. */
    returnFrom?: string | null;
    /** Local time in the zone of the schedule, unless it has an offset. */
    returnTo?: string | null;
    /** Why, for people. */
    reason?: string | null;
};
export type PersonOnDuty = {
    /** The id of the user. */
    userId: number;
    /** Their name. */
    user: string;
    /** Whether they are called only when the others were not reached. */
    relief: boolean;
    /** Why the user is on duty, in the language of `Accept-Language`. */
    via: string;
    /** The reason. `member-of-team`: as a member of a team; `named-by-schedule`: by an entry of the schedule that names one person. */
    viaCode: "member-of-team" | "named-by-schedule";
};
export type PersonPassedOver = {
    /** Null when a whole team is missing. */
    userId: number | null;
    /** Their name. */
    user: string | null;
    /** A team that is not there. */
    teamId: number | null;
    /** Why they are not called, in the language of `Accept-Language`. */
    reason: string;
    /** The reason. `replaced`: another user stands in for them; `off-duty`: they are off duty; `person-missing`: they are not in the directory; `team-missing`: the team is not in the directory. */
    code: "replaced" | "off-duty" | "person-missing" | "team-missing";
};
export type GroupOnDuty = {
    /** The id of the call group. */
    callGroupId: number;
    /** Its name. */
    name: string;
    /** The id of the station it belongs to. */
    stationId: number;
    /** Regular members first, then relief members. */
    members: PersonOnDuty[];
    /** Who is not called, and why. */
    passedOver: PersonPassedOver[];
    /** Why nobody is on duty, in the language of `Accept-Language`. */
    nobody: string | null;
    /** The reason; not given if somebody is on duty. `gap`: the schedule gives the duty to nobody; `locked`: an override locks the duty; `no-teams`: the group has neither teams nor a schedule; `no-members`: the teams on duty have no members; `all-passed-over`: nobody of those on duty can be called. */
    nobodyCode?: "gap" | "locked" | "no-teams" | "no-members" | "all-passed-over";
    /** An override locks the duty, so that nobody is called. */
    locked: boolean;
    /** When the schedule hands over; null: the group has none, or the duty stays for more than three months. */
    until: string | null;
};
export type OnCall = {
    /** The time it is about. */
    at: string;
    /** The groups. */
    items: GroupOnDuty[];
};
export type ReplacedDuty = {
    /** The entry. */
    source: string;
    /** The team that would have the duty. */
    teamId: number | null;
} | null;
export type OnCallSlot = {
    /** The beginning. */
    "from": string;
    /** The end. */
    to: string;
    /** Regular members first, then relief members. */
    members: PersonOnDuty[];
    /** Why nobody is on duty, in the language of `Accept-Language`. */
    nobody: string | null;
    /** The reason; not given if somebody is on duty. `gap`: the schedule gives the duty to nobody; `locked`: an override locks the duty; `no-teams`: the group has neither teams nor a schedule; `no-members`: the teams on duty have no members; `all-passed-over`: nobody of those on duty can be called. */
    nobodyCode?: "gap" | "locked" | "no-teams" | "no-members" | "all-passed-over";
    /** An override locks the duty, so that nobody is called. */
    locked: boolean;
    /** The teams that have the duty; none: one person has it, or nobody. */
    teamIds: number[];
    /** The entry of the schedule; empty: the group has no schedule, or nobody has the duty. */
    source: string;
    /** The reason of the override; empty for other entries. */
    reason: string;
    /** The override by which it is so; null: none. */
    overrideId: number | null;
    /** The swap that the override is part of; null: none. */
    swapId: number | null;
    replaces: ReplacedDuty;
};
export type OnCallOverlap = {
    /** The beginning. */
    "from": string;
    /** The end. */
    to: string;
    /** The entry that is passed over. */
    source: string;
    /** The team that it names. */
    teamId: number | null;
    /** The later entry, which counts. */
    takenBy: string;
};
export type GroupSlots = {
    /** The id of the call group. */
    callGroupId: number;
    /** Its name. */
    name: string;
    /** The id of the station it belongs to. */
    stationId: number;
    /** Whose clock its times are of. */
    timeZone: string;
    /** Its schedule; null: all of its teams always have the duty. */
    scheduleId: number | null;
    /** They cover the period without gaps, in order. */
    slots: OnCallSlot[];
    /** The first 200 in the period, in order. */
    overlaps: OnCallOverlap[];
};
export type OnCallSlots = {
    /** The beginning of the period. */
    "from": string;
    /** The end of the period. */
    to: string;
    /** The groups. */
    items: GroupSlots[];
    /** Groups are left out, because there would be more than 10,000 slots. */
    hasMore: boolean;
};
export type UnreachablePerson = {
    /** The id of the user. */
    userId: number;
    /** Their name. */
    user: string;
    /** `noNumber`: they have none; `notVerified`: none is valid and verified; `noChannel`: none that they are called on is on a channel that is set up and works; `notAllowed`: none is in a country that the call policy allows (`tolls.allowedPrefixes`), so that only alarms of priority 1 are called; `noPriority`: the ranges of priorities of all of them hold none; `locked`: the number that would be called is locked for a quarter of an hour after three wrong PINs; `notNow`: none may be used at this time. */
    cause: "noNumber" | "notVerified" | "noChannel" | "notAllowed" | "noPriority" | "locked" | "notNow";
};
export type UnreadySpan = {
    /** Its begin. */
    "from": string;
    /** Its end. */
    to: string;
    /** Whether at least one person could be reached: on duty, relief member, or in a relief group. */
    reachable: boolean;
    /** What is wrong, in the language of `Accept-Language`. */
    reasons: string[];
    /** The code of each of `reasons`, in their order. */
    reasonCodes: ("gap" | "locked" | "no-teams" | "no-members" | "all-passed-over" | "unreachable" | "relief-instead")[];
    /** The people on duty who could not be reached. */
    unreachable: UnreachablePerson[];
    /** The relief group that is called instead of everybody; null: none. */
    insteadGroupId: number | null;
};
export type UnreadyGroup = {
    /** The id of the call group. */
    callGroupId: number;
    /** Its name. */
    name: string;
    /** The id of the station it belongs to. */
    stationId: number;
    /** Whether at least one person could be reached: on duty, relief member, or in a relief group. */
    reachable: boolean;
    /** What is wrong, in the language of `Accept-Language`. */
    reasons: string[];
    /** The code of each of `reasons`, in their order. */
    reasonCodes: ("gap" | "locked" | "no-teams" | "no-members" | "all-passed-over" | "unreachable" | "relief-instead")[];
    /** The people on duty who could not be reached. */
    unreachable: UnreachablePerson[];
    /** The relief group that is called instead of everybody; null: none. */
    insteadGroupId: number | null;
    /** The times of the next 14 days in which something is wrong. */
    ahead: UnreadySpan[];
};
export type Readiness = {
    /** The time it is about. */
    at: string;
    /** The groups in which something is wrong. */
    items: UnreadyGroup[];
    /** True if there are so many changes of duty that not all were looked at. */
    hasMore: boolean;
};
export type MediaFile = {
    /** The name by which alarms refer to it. */
    name: string;
    /** The type, detected from the content, not from the name. */
    "type": "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/flac" | "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf" | "text/plain";
    /** The size in bytes. */
    size: number;
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
};
export type MediaFilePage = {
    /** The page. */
    items: MediaFile[];
    paging: Paging;
};
export type Bytes = any;
export type CallUsersBody = {
    /** Whom to call. */
    userIds: number[];
    /** The text that people hear or read. */
    msgText?: string | null;
    /** A short numeric message for pagers, and the spoken code. */
    msgNum?: number | null;
    /** A WAV or MP3 as base64, at most 2 MiB of it. */
    msgAudio?: string | null;
    /** The name of a media file; without it the text is spoken. */
    msgFile?: string | null;
};
export type CallGroupsBody = {
    /** The groups to call. */
    callGroupIds?: number[] | null;
    /** The groupings whose groups to call. */
    groupingIds?: number[] | null;
    /** The text that people hear or read. */
    msgText?: string | null;
    /** A short numeric message for pagers, and the spoken code. */
    msgNum?: number | null;
    /** A WAV or MP3 as base64, at most 2 MiB of it. */
    msgAudio?: string | null;
    /** The name of a media file; without it the text is spoken. */
    msgFile?: string | null;
};
export type TestCallBody = {
    /** Whom to call. */
    userIds: number[];
};
export type DrillBody = {
    /** What to tell people. */
    msgText?: string | null;
};
export type CallOutcome = "answered" | "busy" | "noAnswer" | "declined" | "badNumber" | "voicemail" | "undeliverable" | "providerDown" | "limited" | "locked" | "cancelled" | "failed";
export type AskedProvider = {
    /** Its name; not given if it was removed. */
    name?: string;
    outcome?: CallOutcome;
    /** Why the next one was asked, in a few words. */
    detail?: string;
};
export type AcknowledgedAlarm = {
    /** The id of the alarm. */
    alarmId: number;
    /** When it was taken or heard. */
    ackTime: string;
};
export type CallHistory = {
    /** The id of the attempt. */
    id: number;
    /** The same for all attempts of one call of a group. */
    groupCallId?: number;
    /** What it was made for. `alarm`: an alarm; `message`: a request to call people or groups; `test`: a test call or a drill; `followUp`: news of an alarm: somebody took it, or it is back to normal; `handOver`: that somebody comes on or goes off duty; `ringIn`: the person rang in. */
    cause: "alarm" | "message" | "test" | "followUp" | "handOver" | "ringIn";
    /** The most urgent alarm it was made for. */
    alarmId?: number;
    /** The entry of the history of that alarm; not of earlier versions. */
    occurrenceId?: number;
    /** What was to be told of that alarm; not of earlier versions. */
    text?: string;
    /** Every alarm it was made for, or that it announced. */
    alarmIds?: number[];
    /** Those that were read to the person or counted aloud; of a text, those it names or counts. */
    announcedAlarmIds?: number[];
    /** The priority of that alarm; 1 is the most urgent. */
    priority?: number;
    /** The group that was called. */
    callGroupId?: number;
    /** The id of the user who was called. */
    userId: number;
    /** The name of the user. */
    user: string;
    /** The way of reaching them. */
    channel: string;
    /** Without the scope directory:read only its last three characters are shown. */
    address: string;
    /** The name of the provider that carried it. */
    provider?: string;
    /** Every provider that was asked, in order, where there were several. */
    providers?: AskedProvider[];
    /** Counted from 1; 0: the person could not be tried at all. */
    attempt: number;
    /** How the attempt stands now. `0`: none; `1`: in progress; `2`: suspended: no attempt is, only people in calls are; `3`: reached, awaiting acknowledgement; `4`: failed; `5`: acknowledged; `6`: not acknowledged. */
    status: 0 | 1 | 2 | 3 | 4 | 5 | 6;
    /** When the attempt started; before that, when it is due. */
    startTime: string;
    /** When the telephone began to ring. */
    ringTime?: string;
    /** When the telephone was picked up. */
    answerTime?: string;
    /** When the provider said that it was delivered. */
    deliveredTime?: string;
    /** When the provider said that it was read. */
    readTime?: string;
    /** When they first acknowledged something of it: took or heard it. */
    ackTime?: string;
    /** When it ended. */
    endTime?: string;
    outcome?: CallOutcome;
    /** Who or what ended it: an actor as in the journal, or `channel`. */
    endedBy?: string;
    /** The alarms that the person acknowledged in this attempt. */
    acknowledged: AcknowledgedAlarm[];
    /** Why it is made, in the language of `Accept-Language`. */
    reason?: string;
    /** The code of the reason, the same in every language. */
    reasonCode?: string;
    /** What happened, in a few words; before that, why it is made. In the language of `Accept-Language`, but for what a provider says. */
    detail: string;
    /** The code of `detail`, the same in every language; not of earlier versions. */
    detailCode?: string;
};
export type CallHistoryPage = {
    /** The page. */
    items: CallHistory[];
    paging: Paging;
};
export type CallCause = {
    /** What it is. `alarm`: an alarm; `message`: a request to call people; `test`: a test call or a drill; `followUp`: news of an alarm: somebody took it, or it is back to normal; `handOver`: that somebody comes on or goes off duty. */
    cause: "alarm" | "message" | "test" | "followUp" | "handOver";
    /** The alarm. */
    alarmId?: number;
    /** 1 is the most urgent. */
    priority: number;
    /** What people are told. */
    text: string;
    /** Since when it is called for. */
    time: string;
};
export type PersonInCall = {
    /** The user; 0: of another station. */
    userId: number;
    /** The name of the user. */
    user: string;
    /** The group they are called for. */
    callGroupId?: number;
    /** Whether they are called as relief. */
    relief: boolean;
    /** Whether they only get notices, at a number that is not final. */
    notice: boolean;
    /** Where the calling of this person stands. `calling`: an attempt is due or under way; `retrying`: waits for the next try; `callBack`: asked to be called later; `gathering`: further alarms are gathered for the next notice; `reached`: reached, and asked to answer; `lineInUse`: waits until another call has ended; `noLine`: waits for a free line; `limited`: a toll limit of the day is reached; `channelDown`: no provider of the channel works; called when one does again; `throttled`: waits because of the cap; `heard`: has heard it; `declined`: has declined it; `failed`: was not reached, or did not answer; `notified`: has the notice. */
    step: "calling" | "retrying" | "callBack" | "gathering" | "reached" | "lineInUse" | "noLine" | "limited" | "channelDown" | "throttled" | "heard" | "declined" | "failed" | "notified";
    /** The way of reaching them. */
    channel?: string;
    /** The provider that carries the attempt under way. */
    provider?: string;
    /** Which attempt at this number of how many. */
    attempt?: string;
    /** When something happens next, if nothing does before. */
    nextTime?: string;
    /** Why, in the language of `Accept-Language`. */
    reason: string;
    /** The code of the reason, the same in every language. */
    reasonCode?: string;
};
export type NextCallStep = {
    /** What happens. `start`: the call begins after its delay; `attempt`: an attempt or a step of a person; `level`: the relief is called although this level goes on; `round`: the next round begins; `duty`: somebody is looked for who is on duty. */
    step: "start" | "attempt" | "level" | "round" | "duty";
    /** When; not given while an attempt is due or under way. */
    time?: string;
};
export type OpenCall = {
    /** The id of the call; 0: it has not begun yet and waits for the delay of an action. */
    id: number;
    /** The group that is called; 0: of another station. */
    callGroupId?: number;
    /** The user who is called by name; 0: of another station. */
    userId?: number;
    /** The name of the group or user, or of the last resort. */
    name: string;
    /** What the call is doing; only the hub sends calls that have ended. `calling`: people are being called; `waiting`: nobody can be called at present; `pausing`: between two rounds; `ended`: nobody is called any more. */
    phase: "calling" | "waiting" | "pausing" | "ended";
    /** How often the call has started from the beginning. */
    round: number;
    /** When it began or, before that, when it was asked for. */
    startTime: string;
    /** The ten most urgent causes. */
    causes: CallCause[];
    /** How many causes there are. */
    causeCount: number;
    /** The people of this round. */
    people: PersonInCall[];
    next?: NextCallStep;
    /** Why it is in this phase, in the language of `Accept-Language`. */
    reason: string;
    /** The code of the reason, the same in every language. */
    reasonCode?: string;
};
export type OpenCallPage = {
    /** The page. */
    items: OpenCall[];
    paging: Paging;
};
export type PriorityRules = {
    /** The priority; 1 is the most urgent. */
    priority: number;
    /** Whether people are called in new rounds until somebody acknowledges the alarm. */
    untilAcknowledged: boolean;
    /** Seconds from a round of calls that nobody took to the next; doubled after each round. */
    pause: number;
    /** Seconds that the pause grows to at most. */
    longestPause: number;
    /** Seconds that the people on duty, their relief and each relief group have to take an alarm before the next of them are called as well, for groups that do not set it; 0: no limit. */
    timeToTake: number;
    /** Whether calls end when the alarm is back to normal; if not, only an acknowledgement ends them. */
    endOnReturn: boolean;
    /** Minutes after which an acknowledgement expires if the alarm is still active: the alarm is then active and not acknowledged again, in the same occurrence, and is called. 0: never. */
    ackExpiryMinutes: number;
};
export type CallCap = {
    /** How many attempts. */
    attempts: number;
    /** In how many minutes. */
    minutes: number;
} | null;
export type TollLimits = {
    /** The prefixes of telephone numbers that may be called, such as `+33`; empty: all. Verified numbers of other countries are called for priority 1. */
    allowedPrefixes: string[];
    /** The most calls and text messages a day to one person; null: no limit. */
    perPersonDay: number | null;
    /** The most calls and text messages a day to one country; null: no limit. */
    perCountryDay: number | null;
    /** The most that deliveries may cost a day, by the costs of their providers; null: no limit. */
    budgetDay: number | null;
};
export type PersonOutsideCountries = {
    /** The id of the user. */
    userId: number;
    /** Their name. */
    user: string;
};
export type OnlyPriority1 = {
    /** How many people. */
    count: number;
    /** The first 100 of them. */
    users: PersonOutsideCountries[];
};
export type MessageTexts = {
    /** Begins each written message but that of a pager, and is said before the greeting of a call. */
    opening: string;
    /** Ends each written message but that of a pager. */
    closing: string;
};
export type CallPolicy = {
    /** The rules by priority. Alarms of a priority that is not listed are called in one round, whatever becomes of them, without a limit of time to take them. */
    priorities: PriorityRules[];
    /** Whether people who have heard an alarm are called again for a new one. */
    callAgain: boolean;
    cap: CallCap;
    tolls: TollLimits;
    onlyPriority1: OnlyPriority1;
    /** The group that is called when nobody else is; null: all administrators, 0: a group of another station. */
    lastResortGroupId: number | null;
    /** Whether people are told that they come on or go off duty by a schedule, at the first of their numbers that is written to. */
    handOverNotices: boolean;
    /** The name of the installation, by which a telephone call introduces itself; empty: calls say Tocsin. */
    siteName: string;
    /** The languages that are offered. */
    languages: string[];
    /** The language of people who have none, of those that are offered. */
    defaultLanguage: string;
    /** Texts of the installation itself by language, of those that are offered. */
    texts: {
        [key: string]: MessageTexts;
    };
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
};
export type PriorityRulesBody = {
    /** The priority; 1 is the most urgent. */
    priority: number;
    /** Whether people are called in new rounds until somebody acknowledges the alarm. */
    untilAcknowledged?: boolean | null;
    /** Seconds from a round of calls that nobody took to the next; doubled after each round. */
    pause?: number | null;
    /** Seconds that the pause grows to at most. Not given: 1800, or `pause` if that is more. */
    longestPause?: number | null;
    /** Seconds that the people on duty, their relief and each relief group have to take an alarm before the next of them are called as well, for groups that do not set it; 0: no limit. Not given: 900 if it is called until acknowledged, else 0. */
    timeToTake?: number | null;
    /** Whether calls end when the alarm is back to normal; if not, only an acknowledgement ends them. */
    endOnReturn?: boolean | null;
    /** Minutes after which an acknowledgement expires if the alarm is still active: the alarm is then active and not acknowledged again, in the same occurrence, and is called. 0: never. */
    ackExpiryMinutes?: number | null;
};
export type CallCapBody = {
    /** How many attempts. */
    attempts: number;
    /** In how many minutes. */
    minutes: number;
};
export type TollLimitsBody = {
    /** The prefixes of telephone numbers that may be called, such as `+33`; empty: all. Verified numbers of other countries are called for priority 1. */
    allowedPrefixes?: string[] | null;
    /** The most calls and text messages a day to one person; null: no limit. */
    perPersonDay?: number | null;
    /** The most calls and text messages a day to one country; null: no limit. */
    perCountryDay?: number | null;
    /** The most that deliveries may cost a day, by the costs of their providers; null: no limit. */
    budgetDay?: number | null;
};
export type MessageTextsBody = {
    /** Begins each written message but that of a pager, and is said before the greeting of a call. */
    opening?: string | null;
    /** Ends each written message but that of a pager. */
    closing?: string | null;
};
export type CallPolicyBody = {
    /** The rules by priority. Alarms of a priority that is not listed are called in one round, whatever becomes of them, without a limit of time to take them. */
    priorities: PriorityRulesBody[];
    /** Whether people who have heard an alarm are called again for a new one. */
    callAgain?: boolean | null;
    cap?: CallCapBody | null;
    tolls?: TollLimitsBody | null;
    /** The group that is called when nobody else is; it must exist and name somebody. Not given, null or 0: none. */
    lastResortGroupId?: number | null;
    /** Whether people are told that they come on or go off duty by a schedule, at the first of their numbers that is written to. */
    handOverNotices?: boolean | null;
    /** The name of the installation, by which a telephone call introduces itself; empty: calls say Tocsin. */
    siteName?: string | null;
    /** The language of people who have none, of those that are offered. */
    defaultLanguage?: string | null;
    /** Texts of the installation itself by language, of those that are offered. */
    texts?: {
        [key: string]: MessageTextsBody | null;
    } | {
        [key: string]: MessageTextsBody | null;
    };
};
export type ProviderHealth = {
    /** `unknown`: neither used nor checked yet; `up`: it works; `down`: it failed, and is left out until it works again. */
    state: "unknown" | "up" | "down";
    /** Since when. */
    since: string | null;
    /** Why it is down, in the language of `Accept-Language`. */
    reason: string;
    /** Deliveries under way, on all nodes. */
    inUse: number;
    /** The node that holds its registration or mailbox; null: none. */
    heldBy: string | null;
};
export type Provider = {
    /** The id of the provider. */
    id: number;
    /** The name; one that is taken is refused. */
    name: string;
    /** The channel of the numbers that it serves, such as `voice`. */
    channel: string;
    /** One of `simulator`, `sip`, `smtp`, `webhook`. It cannot be changed. */
    kind: string;
    /** Of the providers of a channel, the lowest is used first. */
    order: number;
    /** Whether it is used. */
    enabled: boolean;
    /** The most deliveries at the same time, over all nodes; null: no limit. */
    lines: number | null;
    /** The most deliveries begun within a second, over all nodes; null: no limit. */
    perSecond: number | null;
    /** The most deliveries a day, in the time zone of the server, except of priority 1; null: no limit. */
    perDay: number | null;
    /** The cost of one delivery, in the currency of the budget of a day in the call policy. */
    cost: number;
    /** The prefixes of the telephone numbers that it serves; empty: all. */
    countries: string[];
    /** The name of the only node that may use it; null or blank: any. */
    node: string | null;
    /** What its kind needs; see docs/channels.md. */
    settings: {
        [key: string]: any;
    };
    /** The names of the secrets that are set; nobody can read them. */
    secrets: string[];
    health: ProviderHealth;
    /** When it was last changed: UTC, without offset. */
    lastChange: string;
};
export type ProviderPage = {
    /** The page. */
    items: Provider[];
    paging: Paging;
};
export type ProviderBody = {
    /** The name; one that is taken is refused. */
    name: string;
    /** The channel of the numbers that it serves, such as `voice`. */
    channel: string;
    /** One of `simulator`, `sip`, `smtp`, `webhook`. It cannot be changed. */
    kind: string;
    /** Of the providers of a channel, the lowest is used first. */
    order?: number | null;
    /** Whether it is used. */
    enabled?: boolean | null;
    /** The most deliveries at the same time, over all nodes; null: no limit. */
    lines?: number | null;
    /** The most deliveries begun within a second, over all nodes; null: no limit. */
    perSecond?: number | null;
    /** The most deliveries a day, in the time zone of the server, except of priority 1; null: no limit. */
    perDay?: number | null;
    /** The cost of one delivery, in the currency of the budget of a day in the call policy. */
    cost?: number | null;
    /** The prefixes of the telephone numbers that it serves; empty: all. */
    countries?: string[] | null;
    /** The name of the only node that may use it; null or blank: any. */
    node?: string | null;
    /** What its kind needs; see docs/channels.md. */
    settings?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Written and never read: one that is not named stays as it is, null removes it. */
    secrets?: {
        [key: string]: string | null;
    } | {
        [key: string]: string | null;
    };
};
export type ProviderTest = {
    /** Whether it can be used. */
    ok: boolean;
    /** Why not, in the language of `Accept-Language`; empty if it can. */
    reason: string;
};
export type DeliveryReport = {
    /** Chosen by the receiver, the same for each repetition of one report: a repetition changes nothing. */
    id: string;
    /** The id of the delivery. */
    attempt: number;
    /** `delivered`: it reached the device of the person; `read`: it was shown to the person; `answer`: the person answered, with `answer` and `code`. */
    event: "delivered" | "read" | "answer";
    /** `take`: acknowledges the alarms of the message; `heard`: the others are called on; `decline`: the next person is called; `later`: the person is called again in five minutes. */
    answer?: ("take" | "heard" | "decline" | "later" | null) | ("take" | "heard" | "decline" | "later" | null);
    /** The `replyCode` of the message. */
    code?: string | null;
};
export type DeliveryReportResult = {
    /** The alarms that the answer acknowledged. */
    taken: number[];
    /** The response to the person, in their language; empty for a receipt. */
    text: string;
};
export type ForecastStep = {
    /** When it would happen. */
    time: string;
    /** What happens. `attempt`: a person is called, or sent a text; `round`: calling begins, or begins again; `level`: the next people are called; `held`: a limit of the day holds somebody back; `nobody`: nobody can be called; `exhausted`: everybody was called, and nobody took it; `done`: nothing more is done. */
    what: "attempt" | "round" | "level" | "held" | "nobody" | "exhausted" | "done";
    /** The id of the user. */
    userId?: number;
    /** Their name. */
    user?: string;
    /** The id of the group that is called. */
    callGroupId?: number;
    /** The way of reaching them. */
    channel?: string;
    /** The number; without `directory:read` only its end. */
    address?: string;
    /** Why, in the language of `Accept-Language`. */
    reason: string;
    /** The code of the reason, the same in every language. */
    reasonCode?: string;
};
export type PersonNotCalled = {
    /** The id of the user. */
    userId: number;
    /** Their name. */
    user: string;
    /** Why not, in the language of `Accept-Language`. */
    reason: string;
    /** The reason. `replaced`: another user stands in for them; `off-duty`: they are off duty; `person-missing`: they are not in the directory; `team-missing`: a team is not in the directory; `without-number`: no number of theirs can be called then; `relief-not-due`: they are relief, and the turn did not come to them; `not-on-duty`: others have the duty. */
    code: "replaced" | "off-duty" | "person-missing" | "team-missing" | "without-number" | "relief-not-due" | "not-on-duty";
};
export type ForecastCall = {
    /** The id of the group, for a call of one. */
    callGroupId?: number;
    /** The id of the user, for a call of one. */
    userId?: number;
    /** The name of the group or person, or the last resort. */
    name: string;
    /** When calling begins. */
    time: string;
    /** What would happen if nobody answered. */
    steps: ForecastStep[];
    /** Whether calling would continue beyond what is shown. */
    more: boolean;
    /** Who would not be called, and why. */
    notCalled: PersonNotCalled[];
};
export type ForecastStop = {
    /** Up to when the forecast is complete. */
    at: string;
    /** What ended it. `steps`: too many steps; `people`: too many people; `time`: too long a computation. */
    limit: "steps" | "people" | "time";
};
export type InertAction = {
    /** The type of the action. */
    "type": string;
    /** What it names. */
    id: number;
    /** Why it has no effect, in the language of `Accept-Language`. */
    reason: string;
    /** The reason. `call-group`: the call group does not exist; `user`: the user does not exist; `media`: the sound does not exist; `command`: the script cannot be run; `action-type`: there is no such action. */
    code: "call-group" | "user" | "media" | "command" | "action-type";
};
export type Explanation = {
    /** The time at which the alarm is assumed to be raised. */
    at: string;
    /** Whether the alarm is masked now: then nobody is called. */
    masked: boolean;
    /** The calls that would be made. */
    calls: ForecastCall[];
    stopped?: ForecastStop;
    /** The attempts made for the alarm so far, with the reasons. */
    made: CallHistory[];
    /** The actions without effect. */
    inert: InertAction[];
};
export type PhoneMessage = {
    /** The id of the message. */
    id: number;
    /** The row of the call history it belongs to. */
    callId?: number;
    /** The way it came. */
    channel: string;
    /** The number it came to. */
    address: string;
    /** `to`: to the phone; `from`: from the phone. */
    direction: "to" | "from";
    /** What was said or written. */
    text: string;
    /** `ringing`: a call that rings; `answered`: a call that was answered; `ended`: a call that is over; `delivered`: a text. */
    state: "ringing" | "answered" | "ended" | "delivered";
    /** How a call ended: answered, rejected, no answer, busy, cancelled. */
    outcome: string;
    /** When it came. */
    time: string;
};
export type Phone = {
    /** The id of the user whose phone it is. */
    userId: number;
    /** The name of the user; empty if the user was removed. */
    user: string;
    /** Its newest calls and texts, the newest first. */
    messages: PhoneMessage[];
};
export type PhoneSaid = {
    /** What the voice says. */
    said: string;
    /** Whether the call is over. */
    over: boolean;
};
export type PhoneKeysBody = {
    /** The keys. */
    keys: string;
};
export type PhoneTextBody = {
    /** The text. */
    text: string;
};
export type PhoneReply = {
    /** The reply. */
    answer: string;
};
export type RingInSaid = {
    /** The id of the call, for the keys and the call history. */
    callId: number;
    /** What the voice says. */
    said: string;
    /** Whether the call is over. */
    over: boolean;
};
export type RingInKeysBody = {
    /** The keys. */
    keys: string;
};
export type JournalEntry = {
    /** The id of the entry. */
    id: number;
    /** When it happened. */
    time: string;
    /** What happened: one of `alarm.acknowledged`, `alarm.acknowledgement-expired`, `alarm.commented`, `alarm.mask-expired`, `alarm.masked`, `alarm.removed`, `alarm.reset`, `alarm.scenarios-attached`, `alarm.unmasked`, `audit.trimmed`, `call.answered`, `call.attempt`, `call.cancelled`, `call.drilled`, `call.escalated`, `call.rang-in`, `call.requested`, `call.ring-in-refused`, `callGroup.changed`, `callGroup.created`, `callGroup.removed`, `callPolicy.changed`, `callingMeans.changed`, `clock.stepped`, `dataServer.changed`, `dataServer.created`, `dataServer.removed`, `demo.made`, `demo.removed`, `grouping.changed`, `grouping.created`, `grouping.removed`, `intake.retried`, `key.bound`, `key.created`, `key.revoked`, `key.taken-over`, `media.removed`, `media.stored`, `provider.changed`, `provider.created`, `provider.removed`, `quarantine.dropped`, `quarantine.released`, `request.refused`, `scenario.changed`, `scenario.created`, `scenario.removed`, `schedule.changed`, `schedule.created`, `schedule.holidays-read`, `schedule.removed`, `scripts.changed`, `session.ended`, `sign-in`, `sign-in.failed`, `sign-out`, `station.changed`, `station.created`, `station.removed`, `store.created`, `store.restored`, `tagGroup.changed`, `tagGroup.created`, `tagGroup.removed`, `team.changed`, `team.created`, `team.removed`, `user.changed`, `user.created`, `user.password-set`, `user.removed`, `views.changed`. */
    kind: string;
    /** Who did it: `user:3`, `key:7`, `cli`, `system`, or `anonymous` for a request without a valid token. */
    actor: string;
    /** The network address or telephone number that it came from. */
    address?: string;
    /** The station it concerns; absent for what concerns the whole installation. */
    stationId?: number;
    /** What it was done to. */
    subject?: string;
    /** The values before; of a change only the fields that differ, and the name. */
    before?: {
        [key: string]: any;
    };
    /** The values after, or what was done. */
    after?: {
        [key: string]: any;
    };
    /** Whether the entry is sealed: a later change of it is found by `tocsin audit verify`. */
    sealed: boolean;
};
export type JournalPaging = {
    /** The limit that was applied. */
    limit: number;
    /** The cursor of the next page; absent on the last page. */
    next?: string;
};
export type JournalEntryPage = {
    /** The page, newest first. */
    items: JournalEntry[];
    paging: JournalPaging;
};
export type SystemDataServer = {
    /** The id of the station. */
    stationId: number;
    /** The id of the data server. */
    dataServerId: number;
};
export type Site = {
    /** The `siteName` of the call policy; empty if it has none. */
    name: string;
    /** The zone of the times in responses. */
    timeZone: string;
    /** The languages in which people are spoken and written to. */
    languages: string[];
    /** Whether simulated phones ring for numbers that nothing else serves. */
    simulatedPhones: boolean;
    /** The server's time; its offset is that of the zone at present. */
    now?: string;
    /** The version of Tocsin. */
    version?: string;
    /** How many hours an alarm may be masked at most. */
    maskHours?: number;
    /** The longest time without a sign of life on a connection to the hub. */
    hubKeepAliveSeconds?: number;
    /** The data servers of the alarms that Tocsin itself raises, one for each station. */
    systemDataServers?: SystemDataServer[];
};
export type IntakeRefusal = {
    /** The id of the refused request. */
    id: number;
    /** When it was refused. */
    time: string;
    /** Who sent it. */
    caller: string;
    /** The name of the key or user. */
    callerName: string;
    /** The address that it came from. */
    address: string;
    /** Where it was sent. */
    route: string;
    /** The code of the refusal. */
    code: string;
    /** The sentence of the refusal. */
    reason: string;
    /** The body; of a longer one the first 65,536 bytes. */
    body: string;
    /** `base64` for a body that is not UTF-8. */
    bodyEncoding: "text" | "base64";
    /** The length of the whole body in bytes. */
    bodyLength: number;
    /** When it was retried. */
    retriedTime?: string;
    /** Who retried it. */
    retriedBy?: string;
};
export type IntakeRefusalPage = {
    /** The page. */
    items: IntakeRefusal[];
    paging: Paging;
};
export type IntakeRetryRequest = {
    /** Carries it out. */
    confirm?: boolean | null;
};
export type RetriedAlarm = {
    /** The alarm; absent for one that does not exist yet. */
    id?: number;
    /** The name of the alarm. */
    name?: string;
    /** Its state before this item. */
    stateBefore?: number;
    /** Its state after this item. */
    stateAfter?: number;
    /** Why this item would be refused. */
    problem?: string;
};
export type RetriedCall = {
    /** The users who would be called. */
    userIds: number[];
    /** The groups that would be called. */
    callGroupIds: number[];
    /** The groupings whose groups would be called. */
    groupingIds: number[];
};
export type IntakeRetry = {
    /** Whether it was carried out; false without `confirm`. */
    applied: boolean;
    /** What the original request is answered with now. */
    answer?: any;
    /** What cannot be used of it. */
    warnings: string[];
    /** What would become of each alarm, in the order of the body; empty if it was carried out. */
    alarms: RetriedAlarm[];
    /** Who would be called; empty if it was carried out. */
    calls: RetriedCall[];
};
export type Liveness = {
    /** Always `live`. */
    status: "live";
};
export type HealthCheck = {
    /** What was looked at. */
    name: string;
    /** Whether it works. */
    ok: boolean;
    /** What was found, in a few words. */
    detail: string;
};
export type StoreHealth = {
    /** `ready`: alarms can be stored; `not-ready`: they cannot. */
    status: "ready" | "not-ready";
    /** What was looked at. */
    checks: HealthCheck[];
};
export type CallingTrouble = {
    /** What is wrong, for programs. `nobody-reachable`: nobody can be reached for the last resort: give an administrator, or somebody on duty in the last-resort group, a number that can be called; `number-not-verified`: somebody could be reached for the last resort if their number were verified: have a code sent to it and enter the code; `last-resort-unanswered`: the last resort was called in vain: this ends when somebody takes the alarm; `call-set-aside`: somebody is not called because of a fault in Tocsin: an alarm names whom, and it is tried again every minute; `gaps-found`: calls without a next step were found and repaired: this ends with the next clean audit; `not-audited`: open calls have not been audited for two minutes; `engine-stalled`: the call engine has not completed a cycle for 30 s; `events-delayed`: changes are stored that were not pushed for 5 s: consoles show an old state, and an acknowledgement stops no telephone; `database-unavailable`: the database cannot be read, or is damaged. */
    code: "nobody-reachable" | "number-not-verified" | "last-resort-unanswered" | "call-set-aside" | "gaps-found" | "not-audited" | "engine-stalled" | "events-delayed" | "database-unavailable";
    /** What is wrong, for people. */
    detail: string;
};
export type CallingHealth = {
    /** `ok`: people can be called; `failing`: they cannot. */
    status: "ok" | "failing";
    /** Whether only simulated phones ring. */
    simulated: boolean;
    /** Everything that is wrong; empty when the status is `ok`. */
    reasons: CallingTrouble[];
};
export type OpenApiDocument = {
    [key: string]: any;
};
/**
 * Get an occurrence of an alarm
 */
export function getAlarmHistory(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmHistory;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/occurrences/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * What happened in an occurrence of an alarm
 */
export function getOccurrenceTimeline(id: number, { acceptLanguage }: {
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmEvent[];
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/occurrences/${encodeURIComponent(id)}/timeline`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * List the history of alarms
 */
export function listAlarmHistories({ offset, limit, sort, search, alarmId, stationId, dataServerId, tagGroupId, callGroupId, priority, userId, $from, to, view }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
    alarmId?: number[];
    stationId?: number[];
    dataServerId?: number[];
    tagGroupId?: number[];
    callGroupId?: number[];
    priority?: number[];
    userId?: number;
    $from?: string;
    to?: string;
    view?: ListView;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmHistoryPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/histories${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        userId,
        "from": $from,
        to,
        view
    }), QS.form({
        alarmId,
        stationId,
        dataServerId,
        tagGroupId,
        callGroupId,
        priority
    }))}`, {
        ...opts
    }));
}
/**
 * List statistics per alarm
 */
export function listAlarmStatistics({ offset, limit, sort, search, alarmId, stationId, dataServerId, tagGroupId, callGroupId, priority, userId, $from, to, view }: {
    offset?: number;
    limit?: number;
    sort?: "+id" | "-id" | "id" | " id" | "+failureNumber" | "-failureNumber" | "failureNumber" | " failureNumber" | "+failureTotalTime" | "-failureTotalTime" | "failureTotalTime" | " failureTotalTime";
    search?: string;
    alarmId?: number[];
    stationId?: number[];
    dataServerId?: number[];
    tagGroupId?: number[];
    callGroupId?: number[];
    priority?: number[];
    userId?: number;
    $from?: string;
    to?: string;
    view?: ListView;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmStatisticPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/statistics${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        userId,
        "from": $from,
        to,
        view
    }), QS.form({
        alarmId,
        stationId,
        dataServerId,
        tagGroupId,
        callGroupId,
        priority
    }))}`, {
        ...opts
    }));
}
/**
 * List interventions per user
 */
export function listAlarmInterventions({ offset, limit, sort, search, alarmId, stationId, dataServerId, tagGroupId, callGroupId, priority, userId, $from, to }: {
    offset?: number;
    limit?: number;
    sort?: "+id" | "-id" | "id" | " id" | "+interventionNumber" | "-interventionNumber" | "interventionNumber" | " interventionNumber";
    search?: string;
    alarmId?: number[];
    stationId?: number[];
    dataServerId?: number[];
    tagGroupId?: number[];
    callGroupId?: number[];
    priority?: number[];
    userId?: number;
    $from?: string;
    to?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmInterventionPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/interventions${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        userId,
        "from": $from,
        to
    }), QS.form({
        alarmId,
        stationId,
        dataServerId,
        tagGroupId,
        callGroupId,
        priority
    }))}`, {
        ...opts
    }));
}
/**
 * How many alarms were raised over time
 */
export function getAlarmSeries({ every, by, alarmId, stationId, dataServerId, tagGroupId, callGroupId, priority, userId, $from, to, search }: {
    every?: "10m" | "1h" | "1d";
    by?: "priority";
    alarmId?: number[];
    stationId?: number[];
    dataServerId?: number[];
    tagGroupId?: number[];
    callGroupId?: number[];
    priority?: number[];
    userId?: number;
    $from?: string;
    to?: string;
    search?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmSeries;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/series${QS.query(QS.explode({
        every,
        by,
        userId,
        "from": $from,
        to,
        search
    }), QS.form({
        alarmId,
        stationId,
        dataServerId,
        tagGroupId,
        callGroupId,
        priority
    }))}`, {
        ...opts
    }));
}
/**
 * List current alarms
 */
export function listAlarms({ offset, limit, sort, search, id, afterId, stationId, dataServerId, tagGroupId, scenarioId, callGroupId, priority, alarmState, inactiveMasked, view, acceptLanguage }: {
    offset?: number;
    limit?: number;
    sort?: "+id" | "-id" | "id" | " id" | "urgent";
    search?: string;
    id?: number[];
    afterId?: number;
    stationId?: number[];
    dataServerId?: number[];
    tagGroupId?: number[];
    scenarioId?: number[];
    callGroupId?: number[];
    priority?: number[];
    alarmState?: number;
    inactiveMasked?: number;
    view?: ListView;
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        afterId,
        alarmState,
        inactiveMasked,
        view
    }), QS.form({
        id,
        stationId,
        dataServerId,
        tagGroupId,
        scenarioId,
        callGroupId,
        priority
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Send an alarm
 */
export function sendAlarm(alarmBody?: AlarmBody, { idempotencyKey, prefer }: {
    idempotencyKey?: string;
    prefer?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/alarms", oazapfts.json({
        ...opts,
        method: "POST",
        body: alarmBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey,
            Prefer: prefer
        })
    })));
}
/**
 * Count current alarms
 */
export function countAlarms({ id, afterId, stationId, dataServerId, tagGroupId, scenarioId, callGroupId, priority, alarmState, inactiveMasked, search }: {
    id?: number[];
    afterId?: number;
    stationId?: number[];
    dataServerId?: number[];
    tagGroupId?: number[];
    scenarioId?: number[];
    callGroupId?: number[];
    priority?: number[];
    alarmState?: number;
    inactiveMasked?: number;
    search?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmCounts;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/counts${QS.query(QS.form({
        id,
        stationId,
        dataServerId,
        tagGroupId,
        scenarioId,
        callGroupId,
        priority
    }), QS.explode({
        afterId,
        alarmState,
        inactiveMasked,
        search
    }))}`, {
        ...opts
    }));
}
/**
 * Get an alarm
 */
export function getAlarm(id: number, { acceptLanguage }: {
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: FullAlarm;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Remove an alarm
 */
export function deleteAlarm(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * What happened to an alarm
 */
export function getAlarmTimeline(id: number, { acceptLanguage }: {
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmEvent[];
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/timeline`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Acknowledge an alarm
 */
export function acknowledgeAlarm(id: number, acknowledgeBody?: AcknowledgeBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/acknowledge`, oazapfts.json({
        ...opts,
        method: "POST",
        body: acknowledgeBody
    })));
}
/**
 * Reset a latched alarm
 */
export function resetAlarm(id: number, noFields?: NoFields, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/reset`, oazapfts.json({
        ...opts,
        method: "POST",
        body: noFields
    })));
}
/**
 * Mask an alarm for a time
 */
export function maskAlarm(id: number, maskBody: MaskBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/mask`, oazapfts.json({
        ...opts,
        method: "POST",
        body: maskBody
    })));
}
/**
 * End the mask of an alarm
 */
export function unmaskAlarm(id: number, noFields?: NoFields, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/unmask`, oazapfts.json({
        ...opts,
        method: "POST",
        body: noFields
    })));
}
/**
 * Comment on an alarm
 */
export function commentAlarm(id: number, commentBody: CommentBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/comments`, oazapfts.json({
        ...opts,
        method: "POST",
        body: commentBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get the scenarios of an alarm
 */
export function getAlarmScenarios(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: AlarmScenarios;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/scenarios`, {
        ...opts
    }));
}
/**
 * Attach scenarios to an alarm
 */
export function attachAlarmScenarios(id: number, attachScenariosBody: AttachScenariosBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/scenarios`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: attachScenariosBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Send many alarms
 */
export function sendAlarms(body: AlarmBody[], { idempotencyKey, prefer }: {
    idempotencyKey?: string;
    prefer?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: (number | TakenItem | Problem)[];
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/alarms/batch", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey,
            Prefer: prefer
        })
    })));
}
/**
 * Report values of tags
 */
export function reportTagValues(body: TagValue[], { prefer }: {
    prefer?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: (number | TakenItem | Problem)[];
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/tags/values", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            Prefer: prefer
        })
    })));
}
/**
 * Send alarms as a monitoring system does
 */
export function sendMappedAlarms(name: string, senderBody?: SenderBody, { key, idempotencyKey, prefer }: {
    key?: string;
    idempotencyKey?: string;
    prefer?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: MappedAlarms;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/in/${encodeURIComponent(name)}${QS.query(QS.explode({
        key
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: senderBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey,
            Prefer: prefer
        })
    })));
}
/**
 * Acknowledge several alarms
 */
export function acknowledgeAlarms(acknowledgeSeveralBody: AcknowledgeSeveralBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: (number | Problem)[];
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/alarms/acknowledge", oazapfts.json({
        ...opts,
        method: "POST",
        body: acknowledgeSeveralBody
    })));
}
/**
 * Mask several alarms for a time
 */
export function maskAlarms(maskSeveralBody: MaskSeveralBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: (number | Problem)[];
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/alarms/mask", oazapfts.json({
        ...opts,
        method: "POST",
        body: maskSeveralBody
    })));
}
/**
 * End the masks of several alarms
 */
export function unmaskAlarms(unmaskSeveralBody: UnmaskSeveralBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: (number | Problem)[];
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/alarms/unmask", oazapfts.json({
        ...opts,
        method: "POST",
        body: unmaskSeveralBody
    })));
}
/**
 * Sign in
 */
export function signIn(credentials?: Credentials, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: SignedIn;
    } | {
        status: 400;
        data: OAuthError;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: OAuthError;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/auth/login", oazapfts.json({
        ...opts,
        method: "POST",
        body: credentials
    })));
}
/**
 * Sign out
 */
export function signOut(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/auth/logout", {
        ...opts,
        method: "POST"
    }));
}
/**
 * List open sessions
 */
export function listSessions({ offset, limit, sort, search }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: SessionPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/auth/sessions${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search
    }))}`, {
        ...opts
    }));
}
/**
 * End a session
 */
export function endSession(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/auth/sessions/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * List API keys
 */
export function listApiKeys({ offset, limit, sort, search }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: ApiKeyPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/auth/keys${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search
    }))}`, {
        ...opts
    }));
}
/**
 * Make an API key
 */
export function createApiKey(apiKeyBody: ApiKeyBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: NewApiKey;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/auth/keys", oazapfts.json({
        ...opts,
        method: "POST",
        body: apiKeyBody
    })));
}
/**
 * Revoke an API key
 */
export function revokeApiKey(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/auth/keys/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Who the caller is
 */
export function getOwnAccess(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: OwnAccess;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/auth/me", {
        ...opts
    }));
}
/**
 * List stations
 */
export function listStations({ offset, limit, sort, search }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: StationPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/stations${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search
    }))}`, {
        ...opts
    }));
}
/**
 * Make a station
 */
export function createStation(stationBody: StationBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/stations", oazapfts.json({
        ...opts,
        method: "POST",
        body: stationBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a station
 */
export function getStation(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Station;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/stations/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a station
 */
export function replaceStation(id: number, stationBody: StationBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Station;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/stations/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: stationBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a station
 */
export function deleteStation(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/stations/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * List data servers
 */
export function listDataServers({ offset, limit, sort, search, stationId }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
    stationId?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: DataServerPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/dataservers${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        stationId
    }))}`, {
        ...opts
    }));
}
/**
 * Make a data server
 */
export function createDataServer(dataServerBody: DataServerBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/dataservers", oazapfts.json({
        ...opts,
        method: "POST",
        body: dataServerBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a data server
 */
export function getDataServer(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: DataServer;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/dataservers/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a data server
 */
export function replaceDataServer(id: number, dataServerBody: DataServerBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: DataServer;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/dataservers/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: dataServerBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a data server
 */
export function deleteDataServer(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/dataservers/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * List tag groups
 */
export function listTagGroups({ offset, limit, sort, search, stationId }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
    stationId?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: TagGroupPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/taggroups${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        stationId
    }))}`, {
        ...opts
    }));
}
/**
 * Make a tag group
 */
export function createTagGroup(tagGroupBody: TagGroupBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/taggroups", oazapfts.json({
        ...opts,
        method: "POST",
        body: tagGroupBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a tag group
 */
export function getTagGroup(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: TagGroup;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/taggroups/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a tag group
 */
export function replaceTagGroup(id: number, tagGroupBody: TagGroupBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: TagGroup;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/taggroups/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: tagGroupBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a tag group
 */
export function deleteTagGroup(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/taggroups/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * Move the tags of a placeholder
 */
export function moveTags(id: number, tagMove: TagMove, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/dataservers/${encodeURIComponent(id)}/move`, oazapfts.json({
        ...opts,
        method: "POST",
        body: tagMove
    })));
}
/**
 * List users
 */
export function listUsers({ offset, limit, sort, search }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: UserPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/users${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search
    }))}`, {
        ...opts
    }));
}
/**
 * Make a user
 */
export function createUser(userBody: UserBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/users", oazapfts.json({
        ...opts,
        method: "POST",
        body: userBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a user
 */
export function getUser(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: User;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/users/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a user
 */
export function replaceUser(id: number, userBody: UserBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: User;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/users/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: userBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a user
 */
export function deleteUser(id: number, { keys, ifMatch }: {
    keys?: "revoke" | "keep";
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/users/${encodeURIComponent(id)}${QS.query(QS.explode({
        keys
    }))}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * List teams
 */
export function listTeams({ offset, limit, sort, search }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: TeamPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/teams${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search
    }))}`, {
        ...opts
    }));
}
/**
 * Make a team
 */
export function createTeam(teamBody: TeamBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/teams", oazapfts.json({
        ...opts,
        method: "POST",
        body: teamBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a team
 */
export function getTeam(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Team;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/teams/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a team
 */
export function replaceTeam(id: number, teamBody: TeamBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Team;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/teams/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: teamBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a team
 */
export function deleteTeam(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/teams/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * List call groups
 */
export function listCallGroups({ offset, limit, sort, search, stationId }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
    stationId?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallGroupPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroups${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        stationId
    }))}`, {
        ...opts
    }));
}
/**
 * Make a call group
 */
export function createCallGroup(callGroupBody: CallGroupBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/callgroups", oazapfts.json({
        ...opts,
        method: "POST",
        body: callGroupBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a call group
 */
export function getCallGroup(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallGroup;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroups/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a call group
 */
export function replaceCallGroup(id: number, callGroupBody: CallGroupBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallGroup;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroups/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: callGroupBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a call group
 */
export function deleteCallGroup(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroups/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * List the teams of a call group
 */
export function listTeamsOfCallGroup(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: TeamPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroups/${encodeURIComponent(id)}/teams`, {
        ...opts
    }));
}
/**
 * List groupings
 */
export function listCallGroupGroupings({ offset, limit, sort, search, stationId }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
    stationId?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallGroupGroupingPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroupgroupings${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        stationId
    }))}`, {
        ...opts
    }));
}
/**
 * Make a grouping
 */
export function createCallGroupGrouping(callGroupGroupingBody: CallGroupGroupingBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/callgroupgroupings", oazapfts.json({
        ...opts,
        method: "POST",
        body: callGroupGroupingBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a grouping
 */
export function getCallGroupGrouping(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallGroupGrouping;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroupgroupings/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a grouping
 */
export function replaceCallGroupGrouping(id: number, callGroupGroupingBody: CallGroupGroupingBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallGroupGrouping;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroupgroupings/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: callGroupGroupingBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a grouping
 */
export function deleteCallGroupGrouping(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroupgroupings/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * List schedules
 */
export function listSchedules({ offset, limit, sort, search }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: SchedulePage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search
    }))}`, {
        ...opts
    }));
}
/**
 * Make a schedule
 */
export function createSchedule(scheduleBody: ScheduleBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/schedules", oazapfts.json({
        ...opts,
        method: "POST",
        body: scheduleBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a schedule
 */
export function getSchedule(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Schedule;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a schedule
 */
export function replaceSchedule(id: number, scheduleBody: ScheduleBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Schedule;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: scheduleBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a schedule
 */
export function deleteSchedule(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * List scenarios
 */
export function listScenarios({ offset, limit, sort, search, stationId }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
    stationId?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: ScenarioPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/scenarios${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        stationId
    }))}`, {
        ...opts
    }));
}
/**
 * Make a scenario
 */
export function createScenario(scenarioBody: ScenarioBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/scenarios", oazapfts.json({
        ...opts,
        method: "POST",
        body: scenarioBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a scenario
 */
export function getScenario(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Scenario;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/scenarios/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a scenario
 */
export function replaceScenario(id: number, scenarioBody: ScenarioBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Scenario;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/scenarios/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: scenarioBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a scenario
 */
export function deleteScenario(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/scenarios/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * Get your own user
 */
export function getOwnUser(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: User;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/me", {
        ...opts
    }));
}
/**
 * Change your own user
 */
export function changeOwnUser(ownUserBody?: OwnUserBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: User;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/me", oazapfts.json({
        ...opts,
        method: "PUT",
        body: ownUserBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Set somebody on or off duty
 */
export function setDuty(id: number, dutyBody?: DutyBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: User;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/users/${encodeURIComponent(id)}/duty`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: dutyBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Get saved views
 */
export function getViews(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Views;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/views", {
        ...opts
    }));
}
/**
 * Change your saved views
 */
export function replaceViews(viewsBody: ViewsBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: ViewList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/views", oazapfts.json({
        ...opts,
        method: "PUT",
        body: viewsBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Get the views that are shared at a station, or by all
 */
export function getSharedViews({ stationId }: {
    stationId?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: ViewList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/views/shared${QS.query(QS.explode({
        stationId
    }))}`, {
        ...opts
    }));
}
/**
 * Change the views that are shared at a station, or by all
 */
export function replaceSharedViews(viewsBody: ViewsBody, { stationId, ifMatch }: {
    stationId?: number;
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: ViewList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/views/shared${QS.query(QS.explode({
        stationId
    }))}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: viewsBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * List sources
 */
export function listSources({ offset, limit, stationId }: {
    offset?: number;
    limit?: number;
    stationId?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: SourcePage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/sources${QS.query(QS.explode({
        offset,
        limit,
        stationId
    }))}`, {
        ...opts
    }));
}
/**
 * Get a report on the installation
 */
export function getSystemReport({ acceptLanguage }: {
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: SystemReport;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/system", {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Begin quarantined work like any other
 */
export function releaseQuarantinedWork(kind: WorkKind, id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/system/quarantine/${encodeURIComponent(kind)}/${encodeURIComponent(id)}/release`, {
        ...opts,
        method: "POST"
    }));
}
/**
 * Give quarantined work up
 */
export function dropQuarantinedWork(kind: WorkKind, id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/system/quarantine/${encodeURIComponent(kind)}/${encodeURIComponent(id)}/drop`, {
        ...opts,
        method: "POST"
    }));
}
/**
 * Get the demo plant
 */
export function getDemo(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: DemoPlant;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/demo", {
        ...opts
    }));
}
/**
 * Make the demo plant
 */
export function makeDemo(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: DemoPlant;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/demo", {
        ...opts,
        method: "POST"
    }));
}
/**
 * Remove the demo plant
 */
export function removeDemo(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/demo", {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Verify a number
 */
export function verifyNumber(id: number, numberId: number, numberVerificationBody?: NumberVerificationBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: NumberVerification;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/users/${encodeURIComponent(id)}/numbers/${encodeURIComponent(numberId)}/verify`, oazapfts.json({
        ...opts,
        method: "POST",
        body: numberVerificationBody
    })));
}
/**
 * List the overrides of a schedule
 */
export function listOverrides(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: OverridePage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}/overrides`, {
        ...opts
    }));
}
/**
 * Make an override
 */
export function createOverride(id: number, overrideBody: OverrideBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}/overrides`, oazapfts.json({
        ...opts,
        method: "POST",
        body: overrideBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get an override
 */
export function getOverride(id: number, overrideId: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Override;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}/overrides/${encodeURIComponent(overrideId)}`, {
        ...opts
    }));
}
/**
 * Change an override
 */
export function replaceOverride(id: number, overrideId: number, overrideBody: OverrideBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Override;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}/overrides/${encodeURIComponent(overrideId)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: overrideBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove an override
 */
export function deleteOverride(id: number, overrideId: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}/overrides/${encodeURIComponent(overrideId)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * Preview a schedule
 */
export function previewSchedule(schedulePreviewBody: SchedulePreviewBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: SchedulePreview;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/schedules/preview", oazapfts.json({
        ...opts,
        method: "POST",
        body: schedulePreviewBody
    })));
}
/**
 * Take the duty
 */
export function takeDuty(id: number, takeDutyBody: TakeDutyBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Schedule;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}/take`, oazapfts.json({
        ...opts,
        method: "POST",
        body: takeDutyBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Swap the duty
 */
export function swapDuty(id: number, swapDutyBody: SwapDutyBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Schedule;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}/swap`, oazapfts.json({
        ...opts,
        method: "POST",
        body: swapDutyBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Undo a swap
 */
export function undoSwap(id: number, swapId: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/schedules/${encodeURIComponent(id)}/swaps/${encodeURIComponent(swapId)}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Who is on duty
 */
export function getOnCall({ at, callGroupId, acceptLanguage }: {
    at?: string;
    callGroupId?: number;
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: OnCall;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/oncall${QS.query(QS.explode({
        at,
        callGroupId
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Who is on duty when
 */
export function listOnCallSlots({ $from, to, callGroupId, acceptLanguage }: {
    $from?: string;
    to?: string;
    callGroupId?: number;
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: OnCallSlots;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/oncall/slots${QS.query(QS.explode({
        "from": $from,
        to,
        callGroupId
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Who could not be reached
 */
export function getOnCallReadiness({ at, acceptLanguage }: {
    at?: string;
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Readiness;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/oncall/readiness${QS.query(QS.explode({
        at
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * The duty of a call group as a calendar
 */
export function getCallGroupCalendar(id: number, { key }: {
    key?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroups/${encodeURIComponent(id)}/calendar.ics${QS.query(QS.explode({
        key
    }))}`, {
        ...opts
    }));
}
/**
 * The duty of a user as a calendar
 */
export function getUserCalendar(id: number, { key }: {
    key?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/users/${encodeURIComponent(id)}/calendar.ics${QS.query(QS.explode({
        key
    }))}`, {
        ...opts
    }));
}
/**
 * List media
 */
export function listMedia({ offset, limit, sort, search }: {
    offset?: number;
    limit?: number;
    sort?: "+name" | "-name" | "name" | " name";
    search?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: MediaFilePage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/media${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search
    }))}`, {
        ...opts
    }));
}
/**
 * Get the content of a media file
 */
export function getMedia(name: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Bytes;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/media/${encodeURIComponent(name)}`, {
        ...opts
    }));
}
/**
 * Store a media file
 */
export function storeMedia(name: string, bytes: Bytes, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: MediaFile;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/media/${encodeURIComponent(name)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: bytes,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a media file
 */
export function deleteMedia(name: string, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/media/${encodeURIComponent(name)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * Call users
 */
export function callUsers(callUsersBody: CallUsersBody, { wait, idempotencyKey, prefer }: {
    wait?: number;
    idempotencyKey?: string;
    prefer?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: boolean;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/call/users${QS.query(QS.explode({
        wait
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: callUsersBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey,
            Prefer: prefer
        })
    })));
}
/**
 * Call groups
 */
export function callGroups(callGroupsBody?: CallGroupsBody, { idempotencyKey, prefer }: {
    idempotencyKey?: string;
    prefer?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: boolean;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/call/groups", oazapfts.json({
        ...opts,
        method: "POST",
        body: callGroupsBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey,
            Prefer: prefer
        })
    })));
}
/**
 * Make a test call
 */
export function callUsersAsTest(testCallBody: TestCallBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: boolean;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/call/test", oazapfts.json({
        ...opts,
        method: "POST",
        body: testCallBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Hold a drill
 */
export function drillCallGroup(id: number, drillBody?: DrillBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/callgroups/${encodeURIComponent(id)}/drill`, oazapfts.json({
        ...opts,
        method: "POST",
        body: drillBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Escalate an alarm
 */
export function escalateAlarm(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/escalate`, {
        ...opts,
        method: "POST"
    }));
}
/**
 * List the history of calls
 */
export function listCallHistories({ offset, limit, sort, search, stationId, callGroupId, userId, alarmId, occurrenceId, status, $from, to, acceptLanguage }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
    stationId?: number;
    callGroupId?: number;
    userId?: number;
    alarmId?: number;
    occurrenceId?: number;
    status?: number;
    $from?: string;
    to?: string;
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallHistoryPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/call/histories${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search,
        stationId,
        callGroupId,
        userId,
        alarmId,
        occurrenceId,
        status,
        "from": $from,
        to
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * List the calls that are running or waiting
 */
export function listCalls({ offset, limit, sort, acceptLanguage }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: OpenCallPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/calls${QS.query(QS.explode({
        offset,
        limit,
        sort
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Cancel a message, a test or a drill
 */
export function cancelCall(id: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/calls/${encodeURIComponent(id)}/cancel`, {
        ...opts,
        method: "POST"
    }));
}
/**
 * Get the call policy
 */
export function getCallPolicy(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallPolicy;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/callpolicy", {
        ...opts
    }));
}
/**
 * Change the call policy
 */
export function replaceCallPolicy(callPolicyBody: CallPolicyBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallPolicy;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/callpolicy", oazapfts.json({
        ...opts,
        method: "PUT",
        body: callPolicyBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * List providers
 */
export function listProviders({ offset, limit, sort, search, acceptLanguage }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
    search?: string;
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: ProviderPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/providers${QS.query(QS.explode({
        offset,
        limit,
        sort,
        search
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Make a provider
 */
export function createProvider(providerBody: ProviderBody, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: number;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/providers", oazapfts.json({
        ...opts,
        method: "POST",
        body: providerBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    })));
}
/**
 * Get a provider
 */
export function getProvider(id: number, { acceptLanguage }: {
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Provider;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/providers/${encodeURIComponent(id)}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Change a provider
 */
export function replaceProvider(id: number, providerBody: ProviderBody, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Provider;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/providers/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: providerBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    })));
}
/**
 * Remove a provider
 */
export function deleteProvider(id: number, { ifMatch }: {
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 412;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/providers/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * Check a provider
 */
export function testProvider(id: number, { acceptLanguage }: {
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: ProviderTest;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/providers/${encodeURIComponent(id)}/test`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Report what became of a delivery
 */
export function reportDelivery(id: number, tocsinSignature: string, deliveryReport: DeliveryReport, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: DeliveryReportResult;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/providers/${encodeURIComponent(id)}/reports`, oazapfts.json({
        ...opts,
        method: "POST",
        body: deliveryReport,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Tocsin-Signature": tocsinSignature
        })
    })));
}
/**
 * Explain whom an alarm calls
 */
export function explainAlarm(id: number, { at, hours, acceptLanguage }: {
    at?: string;
    hours?: number;
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Explanation;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/alarms/${encodeURIComponent(id)}/explain${QS.query(QS.explode({
        at,
        hours
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    }));
}
/**
 * Explain whom an alarm would call
 */
export function explainNewAlarm(alarmBody?: AlarmBody, { at, hours, acceptLanguage }: {
    at?: string;
    hours?: number;
    acceptLanguage?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Explanation;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/explain${QS.query(QS.explode({
        at,
        hours
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: alarmBody,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Accept-Language": acceptLanguage
        })
    })));
}
/**
 * See all simulated phones
 */
export function listPhones(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Phone[];
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/simulator/phones", {
        ...opts
    }));
}
/**
 * See a simulated phone
 */
export function getPhone(userId: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: PhoneMessage[];
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/simulator/phones/${encodeURIComponent(userId)}`, {
        ...opts
    }));
}
/**
 * Answer a simulated phone
 */
export function answerPhone(userId: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: PhoneSaid;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/simulator/phones/${encodeURIComponent(userId)}/answer`, {
        ...opts,
        method: "POST"
    }));
}
/**
 * Press keys on a simulated phone
 */
export function pressPhoneKeys(userId: number, phoneKeysBody: PhoneKeysBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: PhoneSaid;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/simulator/phones/${encodeURIComponent(userId)}/keys`, oazapfts.json({
        ...opts,
        method: "POST",
        body: phoneKeysBody
    })));
}
/**
 * Hang up a simulated phone
 */
export function hangUpPhone(userId: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/simulator/phones/${encodeURIComponent(userId)}/hangup`, {
        ...opts,
        method: "POST"
    }));
}
/**
 * Send a text from a simulated phone
 */
export function sendPhoneText(userId: number, phoneTextBody: PhoneTextBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: PhoneReply;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/simulator/phones/${encodeURIComponent(userId)}/texts`, oazapfts.json({
        ...opts,
        method: "POST",
        body: phoneTextBody
    })));
}
/**
 * Ring in from a simulated phone
 */
export function ringIn(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: RingInSaid;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/simulator/ring-in", {
        ...opts,
        method: "POST"
    }));
}
/**
 * Press keys after ringing in
 */
export function pressRingInKeys(callId: number, ringInKeysBody: RingInKeysBody, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: RingInSaid;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/simulator/ring-in/${encodeURIComponent(callId)}/keys`, oazapfts.json({
        ...opts,
        method: "POST",
        body: ringInKeysBody
    })));
}
/**
 * Hang up after ringing in
 */
export function hangUpRingIn(callId: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: true;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/simulator/ring-in/${encodeURIComponent(callId)}/hangup`, {
        ...opts,
        method: "POST"
    }));
}
/**
 * List the journal
 */
export function listJournal({ limit, cursor, $from, to, actor, kind, subject, stationId }: {
    limit?: number;
    cursor?: string;
    $from?: string;
    to?: string;
    actor?: string;
    kind?: string;
    subject?: string;
    stationId?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: JournalEntryPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/journal${QS.query(QS.explode({
        limit,
        cursor,
        "from": $from,
        to,
        actor,
        kind,
        subject,
        stationId
    }))}`, {
        ...opts
    }));
}
/**
 * Get the installation
 */
export function getSite(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Site;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/site", {
        ...opts
    }));
}
/**
 * List refused requests
 */
export function listIntakeRefusals({ offset, limit, sort }: {
    offset?: number;
    limit?: number;
    sort?: SortById;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: IntakeRefusalPage;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/intake/refusals${QS.query(QS.explode({
        offset,
        limit,
        sort
    }))}`, {
        ...opts
    }));
}
/**
 * Retry a refused request
 */
export function retryIntakeRefusal(id: number, intakeRetryRequest?: IntakeRetryRequest, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: IntakeRetry;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 408;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/v1/intake/refusals/${encodeURIComponent(id)}/retry`, oazapfts.json({
        ...opts,
        method: "POST",
        body: intakeRetryRequest
    })));
}
/**
 * Whether the process responds
 */
export function getLiveness(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Liveness;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/health/live", {
        ...opts
    }));
}
/**
 * Whether alarms can be stored
 */
export function getReadiness(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: StoreHealth;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: StoreHealth;
    }>("/health/ready", {
        ...opts
    }));
}
/**
 * Whether people can be called
 */
export function getCallingHealth(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: CallingHealth;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: CallingHealth;
    }>("/health/calling", {
        ...opts
    }));
}
/**
 * Metrics for Prometheus
 */
export function getMetrics(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/metrics", {
        ...opts
    }));
}
/**
 * This interface as OpenAPI 3.1
 */
export function getOpenApi(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: OpenApiDocument;
    } | {
        status: 304;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/openapi.json", {
        ...opts
    }));
}
/**
 * This interface as OpenAPI 3.0
 */
export function getOpenApi30(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: OpenApiDocument;
    } | {
        status: 304;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/v1/openapi-3.0.json", {
        ...opts
    }));
}
