(** * What AGD communicates in a run of col:linear

    Under doubling the FL routine is called after epochs 1, ..., floor(log2 T), on n_l = M E^l samples.  AGD to accuracy delta needs

        k_l = ceil(sqrt(n_l + 1) ln(1.25 n_l (n_l + 1) / (delta^2 A)))                   ([wanted_rounds], [agd_rounds_enough])

    rounds, or none if the logarithm is negative; a call with k rounds in d dimensions sends M d k numbers up and M d (k + 1) down.
    Main results, for every T >= 2:
    [agd_total_rounds]     sum_l k_l <= (1 + sqrt 2) sqrt(M T) ln(1 + 1.25 M T (M T + 1) / (delta^2 A)) + floor(log2 T)
    [agd_total_numbers]    sum_l M d (2 k_l + 1) <= M d (2 (that) + floor(log2 T)).                                                   *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums Hoeffding AcceleratedGradient DoublingSchedule FiniteError.
Open Scope R_scope.

(** sqrt(n + 1) ln(1.25 n (n + 1) / (delta^2 A)) *)
Definition wanted_rounds (n risk delta : R) : R := sqrt (n + 1) * ln (5 / 4 * (n * (n + 1)) / (delta ^ 2 * risk)).
Definition agd_rounds_bound (M T risk delta calls : R) : R :=
  (1 + sqrt 2) * sqrt (M * T) * ln (1 + 5 / 4 * (M * T * (M * T + 1)) / (delta ^ 2 * risk)) + calls.
Definition agd_numbers_bound (M d T risk delta calls : R) : R := M * d * (2 * agd_rounds_bound M T risk delta calls + calls).

(** So many rounds bring AGD within the accuracy that col:linear asks for. *)
Theorem agd_rounds_enough n k risk delta : (1 <= n)%nat -> 0 < risk -> 0 < delta -> wanted_rounds (INR n) risk delta <= INR k ->
  agd_start_constant * INR n * exp (- (INR k / sqrt (INR n + 1))) <= delta ^ 2 * (risk / INR (S n)).
Proof.
  intros Hn Hr Hd Hk. assert (Hn1 : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; exact Hn).
  assert (Hs : 0 < sqrt (INR n + 1)) by (apply sqrt_lt_R0; lra). assert (Hdr : 0 < delta ^ 2 * risk) by (apply Rmult_lt_0_compat; [apply pow_lt|]; lra).
  set (x := 5 / 4 * (INR n * (INR n + 1)) / (delta ^ 2 * risk)).
  assert (Hx : 0 < x) by (apply Rdiv_lt_0_compat; [nra|exact Hdr]).
  assert (Hy : ln x <= INR k / sqrt (INR n + 1)).
  { apply (Rmult_le_reg_l (sqrt (INR n + 1))); [exact Hs|].
    replace (sqrt (INR n + 1) * (INR k / sqrt (INR n + 1))) with (INR k) by (field; lra). exact Hk. }
  assert (He : exp (- (INR k / sqrt (INR n + 1))) <= / x).
  { apply Rle_trans with (exp (- ln x)); [apply exp_monotone; lra|]. rewrite exp_Ropp, exp_ln by exact Hx. lra. }
  apply Rle_trans with (agd_start_constant * INR n * / x).
  - apply Rmult_le_compat_l; [unfold agd_start_constant; lra|exact He].
  - right. unfold x, agd_start_constant. rewrite S_INR. field. repeat split; lra.
Qed.

Section Communication.
  Variables (M T : nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis HT : (2 <= T)%nat.
  Let HM1 : 1 <= INR M.
  Proof. replace 1 with (INR 1) by reflexivity. apply le_INR. exact HM. Qed.
  (** n_l = M E^l *)
  Definition call_samples (l : nat) : R := INR M * INR (full_length l).

  Lemma power_samples L : (1 <= L)%nat -> call_samples (S L) = INR M * 2 ^ L.
  Proof.
    intro HL. unfold call_samples, full_length. destruct (Nat.eq_dec (S L) 1); [lia|]. replace (S L - 1)%nat with L by lia.
    rewrite pow_INR. reflexivity.
  Qed.
  Lemma first_samples : call_samples 1 = INR M * 2.
  Proof. reflexivity. Qed.

  (** sqrt(y + 1) <= sqrt y + 1/(2 sqrt y) *)
  Lemma root_step y : 0 < y -> sqrt (y + 1) <= sqrt y + / (2 * sqrt y).
  Proof.
    intro Hy. assert (Hs : 0 < sqrt y) by (apply sqrt_lt_R0; exact Hy). assert (Hss : sqrt y * sqrt y = y) by (apply sqrt_sqrt; lra).
    assert (Hi : 0 < / (2 * sqrt y)) by (apply Rinv_0_lt_compat; lra).
    rewrite <- (sqrt_pow2 (sqrt y + / (2 * sqrt y))) by lra. apply sqrt_le_1_alt.
    replace ((sqrt y + / (2 * sqrt y)) ^ 2) with (sqrt y * sqrt y + 1 + (/ (2 * sqrt y)) ^ 2) by (field; lra).
    rewrite Hss. pose proof (pow2_ge_0 (/ (2 * sqrt y))). lra.
  Qed.
  (** sum_{l <= L} sqrt(n_l + 1) <= (1 + sqrt 2) sqrt(M 2^L) - 1.71/sqrt(M 2^L) *)
  Lemma root_sum L : (1 <= L)%nat ->
    sum L (fun i => sqrt (call_samples (S i) + 1)) <= (1 + sqrt 2) * sqrt (INR M * 2 ^ L) - 171 / 100 / sqrt (INR M * 2 ^ L).
  Proof.
    assert (H2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). assert (H20 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    assert (H21 : 14142 / 10000 <= sqrt 2 <= 14143 / 10000) by (split; nra).
    intro HL. induction L as [|L IH]; [lia|]. destruct L as [|L].
    - cbn [sum]. rewrite first_samples, Rplus_0_l, pow_1. set (y := INR M * 2). assert (Hy : 2 <= y) by (unfold y; lra).
      pose proof (root_step y ltac:(lra)) as Hr. set (r := sqrt y) in *.
      assert (Hr0 : 0 < r) by (apply sqrt_lt_R0; lra). assert (Hrr : r * r = y) by (apply sqrt_sqrt; lra).
      eapply Rle_trans; [exact Hr|].
      apply (Rmult_le_reg_l r); [exact Hr0|]. replace (r * (r + / (2 * r))) with (r * r + 1 / 2) by (field; lra).
      replace (r * ((1 + sqrt 2) * r - 171 / 100 / r)) with ((1 + sqrt 2) * (r * r) - 171 / 100) by (field; lra).
      rewrite Hrr. nra.
    - specialize (IH ltac:(lia)). change (sum (S (S L)) (fun i => sqrt (call_samples (S i) + 1)))
        with (sum (S L) (fun i => sqrt (call_samples (S i) + 1)) + sqrt (call_samples (S (S L)) + 1)).
      rewrite power_samples by lia. set (y := INR M * 2 ^ S L) in *.
      assert (Hp : 1 <= 2 ^ S L) by (apply pow_R1_Rle; lra). assert (Hy : 1 <= y) by (unfold y; nra).
      replace (INR M * 2 ^ S (S L)) with (2 * y) by (unfold y; simpl; ring). rewrite sqrt_mult by lra.
      pose proof (root_step y ltac:(lra)) as Hr. set (r := sqrt y) in *. assert (Hr0 : 0 < r) by (apply sqrt_lt_R0; lra).
      replace ((1 + sqrt 2) * (sqrt 2 * r)) with ((1 + sqrt 2) * r + r) by nra.
      replace (171 / 100 / (sqrt 2 * r)) with (171 / 100 * (sqrt 2 / 2) / r).
      2:{ apply (Rmult_eq_reg_l (sqrt 2 * r)); [|nra].
          replace (sqrt 2 * r * (171 / 100 * (sqrt 2 / 2) / r)) with (171 / 100 * (sqrt 2 * sqrt 2) / 2) by (field; lra).
          rewrite H2. field. split; lra. }
      assert (Hstep : / (2 * r) <= 171 / 100 / r - 171 / 100 * (sqrt 2 / 2) / r).
      { replace (171 / 100 / r - 171 / 100 * (sqrt 2 / 2) / r) with ((171 / 100 - 171 / 100 * (sqrt 2 / 2)) * / r) by (field; lra).
        rewrite Rinv_mult. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Hr0|]. lra. }
      lra.
  Qed.
  Lemma root_total : sum (Nat.log2 T) (fun i => sqrt (call_samples (S i) + 1)) <= (1 + sqrt 2) * sqrt (INR M * INR T).
  Proof.
    destruct (Nat.log2_spec T ltac:(lia)) as [Hlow _]. assert (HL : (1 <= Nat.log2 T)%nat) by (apply (Nat.log2_le_mono 2 T); exact HT).
    eapply Rle_trans; [apply (root_sum _ HL)|].
    assert (Hp : 0 < 2 ^ Nat.log2 T) by (apply pow_lt; lra).
    assert (Hy : 0 < sqrt (INR M * 2 ^ Nat.log2 T)) by (apply sqrt_lt_R0; nra).
    assert (0 < 171 / 100 / sqrt (INR M * 2 ^ Nat.log2 T)) by (apply Rdiv_lt_0_compat; lra).
    assert (sqrt (INR M * 2 ^ Nat.log2 T) <= sqrt (INR M * INR T)).
    { apply sqrt_le_1_alt. apply Rmult_le_compat_l; [lra|]. apply le_INR in Hlow. rewrite pow_INR in Hlow. exact Hlow. }
    assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra). nra.
  Qed.
  Lemma samples_below l : (1 <= l <= Nat.log2 T)%nat -> 0 < call_samples l <= INR M * INR T.
  Proof.
    intro Hl. destruct (Nat.log2_spec T ltac:(lia)) as [Hlow _].
    assert (Hf : (1 <= full_length l <= T)%nat).
    { unfold full_length. destruct (Nat.eq_dec l 1); [lia|]. split; [apply (Nat.pow_le_mono_r 2 0 (l - 1)); lia|].
      apply Nat.le_trans with (2 ^ Nat.log2 T)%nat; [apply Nat.pow_le_mono_r; lia|exact Hlow]. }
    unfold call_samples. destruct Hf as [F1 F2]. apply le_INR in F1, F2. simpl (INR 1) in F1. split; nra.
  Qed.

  Variables (risk delta : R) (rounds : nat -> nat).
  Hypothesis Hrisk : 0 < risk.
  Hypothesis Hdelta : 0 < delta.
  (** k_l = ceil of what is wanted, or 0 *)
  Hypothesis rounded_up : forall l, (1 <= l <= Nat.log2 T)%nat ->
    INR (rounds l) <= Rmax 0 (wanted_rounds (call_samples l) risk delta) + 1.
  Let inside : R := 1 + 5 / 4 * (INR M * INR T * (INR M * INR T + 1)) / (delta ^ 2 * risk).

  Lemma one_call l : (1 <= l <= Nat.log2 T)%nat -> INR (rounds l) <= ln inside * sqrt (call_samples l + 1) + 1.
  Proof.
    intro Hl. eapply Rle_trans; [apply rounded_up; exact Hl|]. apply Rplus_le_compat_r.
    destruct (samples_below l Hl) as [Hn0 Hn]. set (n := call_samples l) in *. assert (Hs : 0 <= sqrt (n + 1)) by apply sqrt_pos.
    assert (Hdr : 0 < delta ^ 2 * risk) by (apply Rmult_lt_0_compat; [apply pow_lt|]; lra).
    assert (Hx : 0 < 5 / 4 * (n * (n + 1)) / (delta ^ 2 * risk)) by (apply Rdiv_lt_0_compat; [nra|exact Hdr]).
    assert (Hle : 5 / 4 * (n * (n + 1)) / (delta ^ 2 * risk) <= 5 / 4 * (INR M * INR T * (INR M * INR T + 1)) / (delta ^ 2 * risk)).
    { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Hdr|]. nra. }
    assert (Hin : 1 <= inside) by (unfold inside; lra).
    assert (Hln0 : 0 <= ln inside) by (rewrite <- ln_1; destruct Hin as [H|H]; [left; apply ln_increasing; lra|rewrite H; lra]).
    assert (Hln : ln (5 / 4 * (n * (n + 1)) / (delta ^ 2 * risk)) <= ln inside).
    { left. apply ln_increasing; [exact Hx|]. unfold inside. lra. }
    apply Rmax_lub; [apply Rmult_le_pos; assumption|]. unfold wanted_rounds. rewrite Rmult_comm. apply Rmult_le_compat_r; assumption.
  Qed.
  (** AGD's rounds over a run:  sum_l k_l <= (1 + sqrt 2) sqrt(M T) ln(1 + 1.25 M T (M T + 1)/(delta^2 A)) + floor(log2 T). *)
  Theorem agd_total_rounds :
    sum (Nat.log2 T) (fun i => INR (rounds (S i))) <= agd_rounds_bound (INR M) (INR T) risk delta (INR (Nat.log2 T)).
  Proof.
    apply Rle_trans with (sum (Nat.log2 T) (fun i => ln inside * sqrt (call_samples (S i) + 1) + 1)).
    - apply sum_le. intros i Hi. apply one_call. lia.
    - rewrite sum_plus, sum_scal, sum_const, Rmult_1_r. unfold agd_rounds_bound. fold inside. apply Rplus_le_compat_r.
      rewrite (Rmult_comm _ (ln inside)). apply Rmult_le_compat_l; [|exact root_total].
      assert (Hdr : 0 < delta ^ 2 * risk) by (apply Rmult_lt_0_compat; [apply pow_lt|]; lra).
      assert (Hmt : 0 <= INR M * INR T) by (apply Rmult_le_pos; apply pos_INR).
      assert (Hin : 1 <= inside).
      { unfold inside. assert (0 <= 5 / 4 * (INR M * INR T * (INR M * INR T + 1)) / (delta ^ 2 * risk)); [|lra].
        apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; exact Hdr]. }
      rewrite <- ln_1. destruct Hin as [H|H]; [left; apply ln_increasing; lra|rewrite H; lra].
  Qed.
  (** AGD's numbers over a run, up and down together:  sum_l M d (2 k_l + 1), d numbers a message. *)
  Theorem agd_total_numbers d :
    sum (Nat.log2 T) (fun i => INR M * INR d * (2 * INR (rounds (S i)) + 1)) <=
      agd_numbers_bound (INR M) (INR d) (INR T) risk delta (INR (Nat.log2 T)).
  Proof.
    rewrite (sum_ext (Nat.log2 T) _ (fun i => INR M * INR d * (2 * INR (rounds (S i))) + INR M * INR d)) by (intros; ring).
    rewrite sum_plus, sum_scal, sum_scal, sum_const. unfold agd_numbers_bound. pose proof agd_total_rounds as H. pose proof (pos_INR d) as Hd.
    assert (H0 : 0 <= INR M * INR d) by nra. apply (Rmult_le_compat_l (INR M * INR d)) in H; [|exact H0]. lra.
  Qed.
End Communication.
