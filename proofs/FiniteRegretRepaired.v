(** * col:finite, repaired: the paper's excess risk (25 log(|F|n) + 1)/n and constant 11

    Synchronous doubling, the same number of arms for all agents, g = c = 1:

        Reg(T) <= 2M + sum_{l >= 2} 11 sqrt(K e_{l-1}) M E^l,    e_l = (25 ln(|F| M E^l) + 1) / (M E^l),

    with the last epoch cut at T, and in closed form, since no epoch but the first at T = 3 is longer than T/2:

        Reg(T) <= 2M + 11 (2 + sqrt 2) sqrt(K M T (25 ln(|F| M T / 2) + 1)),    T >= 3.

    The first epoch's 2M is what the printed corollary drops (erratum E9).      *)
From Coq Require Import Reals Lra Lia Psatz List Arith.
From FedIGW Require Import FiniteSums FiniteProbability InverseGapWeighting Constants Protocol GlobalRegret
  FiniteError DoublingSchedule DoublingRegret FiniteRegret.
Open Scope R_scope.

(** (25 ln(F n) + 1) / n *)
Definition printed_risk (F n : R) : R := (25 * ln (F * n) + 1) / n.

(** the closed form *)
Definition col_finite_repaired_bound (M K T F : R) : R := 2 * M + 11 * (2 + sqrt 2) * sqrt (M * K * T * (25 * ln (F * M * T / 2) + 1)).

Lemma log_ge_zero x : 1 <= x -> 0 <= ln x.
Proof. intros [H|H]; [rewrite <- ln_1; left; apply ln_increasing; lra | rewrite <- H, ln_1; lra]. Qed.

Lemma printed_risk_pos F n : 1 <= F -> 1 <= n -> 0 < printed_risk F n.
Proof.
  intros HF Hn. apply Rdiv_lt_0_compat; [|lra].
  assert (0 <= ln (F * n)) by (apply log_ge_zero; nra). lra.
Qed.
(** twice the data, less risk *)
Lemma printed_risk_doubling F n : 2 <= F -> 1 <= n -> printed_risk F (2 * n) <= printed_risk F n.
Proof.
  intros HF Hn. unfold printed_risk. replace (F * (2 * n)) with (2 * (F * n)) by ring.
  rewrite ln_mult by nra.
  assert (L2 : ln 2 <= ln (F * n)).
  { destruct (Req_dec (F * n) 2) as [->|Hne]; [lra|]. left. apply ln_increasing; nra. }
  assert (0 <= ln 2) by (apply log_ge_zero; lra).
  apply (Rmult_le_reg_r (2 * n)); [lra|].
  replace ((25 * (ln 2 + ln (F * n)) + 1) / (2 * n) * (2 * n)) with (25 * (ln 2 + ln (F * n)) + 1) by (field; lra).
  replace ((25 * ln (F * n) + 1) / n * (2 * n)) with (2 * (25 * ln (F * n) + 1)) by (field; lra). lra.
Qed.

Section ColFiniteRepaired.
  Variables (M : nat) (X : nat -> nat) (k : nat) (D : nat -> nat -> R).
  Variable reward_law : nat -> nat -> nat -> list (R * R).
  Variables (N jstar : nat) (F : nat -> estimate) (choice : nat -> dataset -> nat) (T : nat).
  Hypothesis HM : (1 <= M)%nat.
  Hypothesis Hk : (1 <= k)%nat.
  Hypothesis HD0 : forall m x, (x < X m)%nat -> 0 <= D m x.
  Hypothesis HD1 : forall m, sum (X m) (D m) = 1.
  Hypothesis HR : forall m x a, distribution (reward_law m x a).
  Hypothesis HR01 : forall m x a, Forall (fun pr => 0 <= snd pr <= 1) (reward_law m x a).
  Hypothesis HN : (2 <= N)%nat.
  Hypothesis HF01 : forall j m x a, (j < N)%nat -> 0 <= F j m x a <= 1.
  Hypothesis Hjstar : (jstar < N)%nat.
  Hypothesis Hreal : forall m x a, F jstar m x a = fstar reward_law m x a.
  Hypothesis Hchoice : forall l ds, (choice l ds < N)%nat.
  Hypothesis Hmin : forall l ds j, (j < N)%nat -> loss M (F (choice l ds)) ds <= loss M (F j) ds.
  Hypothesis HT : (3 <= T)%nat.

  Local Notation len := (doubling T).
  Local Notation L := (epochs_until T).
  (** e_l, with n = M E^l samples *)
  Definition risk (l : nat) : R := printed_risk (INR N) (INR M * INR (doubling T l 0)).
  (** gamma^{l+1} = sqrt(K / e_l), gamma^1 = 0 *)
  Definition paper_rates (l : nat) : R :=
    match l with O => 0 | S l' => match l' with O => 0 | _ => sqrt (INR k / risk l') end end.

  Lemma W_doubling l : W M len l = INR M * INR (doubling T l 0).
  Proof. unfold W, E. rewrite (sum_ext M _ (fun _ => INR (doubling T l 0))) by reflexivity. apply sum_const. Qed.
  Lemma Kbar_doubling l : (1 <= l <= L)%nat -> Kbar M (K_arms k) len l = INR k.
  Proof.
    intro Hl. unfold Kbar. rewrite (SK_doubling M k T l), W_doubling.
    assert (1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    assert (0 < INR (doubling T l 0)) by (apply lt_0_INR; pose proof (doubling_positive T HT l 0 Hl); lia).
    field. split; lra.
  Qed.
  Lemma samples_ge_one l : (1 <= l <= L)%nat -> 1 <= INR M * INR (doubling T l 0).
  Proof.
    intro Hl. assert (1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    assert (1 <= INR (doubling T l 0)).
    { replace 1 with (INR 1) by reflexivity. apply le_INR, doubling_positive; assumption. } nra.
  Qed.
  Lemma class_ge_two : 2 <= INR N.
  Proof. replace 2 with (INR 2) by reflexivity. apply le_INR, HN. Qed.
  Lemma risk_pos l : (1 <= l <= L)%nat -> 0 < risk l.
  Proof. intro Hl. pose proof class_ge_two. apply printed_risk_pos; [lra | apply samples_ge_one; exact Hl]. Qed.
  (** H5: before the cut the epochs stay equal or double *)
  Lemma risk_decreases l : (1 <= l)%nat -> (S (S l) <= L)%nat -> risk (S l) <= risk l.
  Proof.
    intros H1 H2. pose proof class_ge_two. unfold risk.
    assert (E2 : doubling T (S l) 0 = doubling T l 0 \/ doubling T (S l) 0 = (2 * doubling T l 0)%nat).
    { unfold doubling, full_length.
      destruct (Nat.eq_dec (S l) L); [lia|]. destruct (Nat.eq_dec l L); [lia|].
      destruct (Nat.eq_dec (S l) 1); [lia|]. destruct (Nat.eq_dec l 1) as [->|].
      - left. reflexivity.
      - right. replace (S l - 1)%nat with (S (l - 1)) by lia. reflexivity. }
    destruct E2 as [->| ->]; [lra|]. rewrite mult_INR. change (INR 2) with 2.
    replace (INR M * (2 * INR (doubling T l 0))) with (2 * (INR M * INR (doubling T l 0))) by ring.
    apply printed_risk_doubling; [assumption | apply samples_ge_one; lia].
  Qed.

  (** Reg(T) of FedIGW with the exact minimiser, the doubling schedule and these rates *)
  Definition repaired_Reg_T : R :=
    Expect (run_law M X (K_arms k) D reward_law (doubling T) paper_rates (exact_minimiser F choice) (epochs_until T))
      (total_regret M (K_arms k) reward_law (epochs_until T)).

  (** col:finite, repaired:  Reg(T) <= 2M + sum_{l >= 2} 11 sqrt(K e_{l-1}) M E^l,  T >= 3. *)
  Theorem col_finite_repaired :
    repaired_Reg_T <=
    2 * INR M + sum (L - 1) (fun i =>
      repaired_constant 1 * (sqrt (INR k * risk (i + 1)) * (INR M * INR (doubling T (i + 2) 0)))).
  Proof.
    pose proof (epochs_until_log2 T HT) as [_ HL2].
    assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (Hg0 : forall l, (1 <= l <= L)%nat -> 0 <= paper_rates l).
    { intros l _. destruct l as [|[|l]]; simpl; [lra | lra | apply sqrt_pos]. }
    unfold repaired_Reg_T. eapply Rle_trans.
    - apply (thm_global_regret_repaired M X (K_arms k) D reward_law HM (fun _ => Hk) HD0 HD1 HR HR01 L len ltac:(lia)
        (fun l m Hl _ => doubling_positive T HT l m Hl) paper_rates (exact_minimiser F choice) risk)
        with (g := 1) (c := 1) (reachable := fun _ => True); try lra; try exact I.
      + intros l h. apply distribution_dirac.
      + intros l H1 H2. apply risk_pos. lia.
      + intros l h. apply Forall_forall. auto.
      + intros l h f _ H1 H2.
        rewrite (Expect_ext _ _ (fun d => Err_of M X (K_arms k) D reward_law len paper_rates l f (F (choice l d)))).
        * pose proof (finite_error_mean_printed M X (K_arms k) D reward_law L len paper_rates N jstar F choice HM
            (fun _ => Hk) HD0 HD1 HR HR01 (fun l m Hl _ => doubling_positive T HT l m Hl) Hg0 HN HF01 Hjstar Hreal
            Hchoice Hmin l f ltac:(lia)) as He.
          pose proof (samples_ge_one l ltac:(lia)) as Hs. rewrite <- W_doubling in Hs.
          set (Wl := W M len l) in *.
          rewrite (Expect_ext _ _ (fun d => / Wl * Err_of M X (K_arms k) D reward_law len paper_rates l f (F (choice l d))))
            in He by (intro; unfold Rdiv; ring).
          rewrite Expect_scal in He.
          assert (Hr : risk l = (25 * ln (INR N * Wl) + 1) / Wl) by (unfold risk, Wl; rewrite W_doubling; reflexivity).
          rewrite Hr. apply (Rmult_le_reg_l (/ Wl)); [apply Rinv_0_lt_compat; lra|].
          eapply Rle_trans; [exact He|]. right. field. lra.
        * intro d. unfold exact_minimiser. rewrite Expect_dirac, update_same. reflexivity.
      + intros l H1 H2. destruct l as [|l]; [lia|]. rewrite Kbar_doubling by lia. rewrite Rmult_1_l. reflexivity.
      + simpl. lra.
      + intros l H1 H2. destruct l as [|[|l]]; [lia | lia |]. simpl paper_rates. apply sqrt_le_1_alt.
        apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply risk_pos; lia | apply risk_decreases; lia].
      + intros l m m' H1 H2 _ _. unfold E, doubling. lra.
    - apply Rplus_le_compat.
      + rewrite W_doubling, doubling_first by exact HT. simpl INR. lra.
      + right. apply sum_ext. intros i Hi. f_equal. rewrite (SK_doubling M k T), Kbar_doubling by lia.
        pose proof (risk_pos (i + 1) ltac:(lia)) as Hr.
        replace (INR k * risk (i + 1)) with (INR k ^ 2 * (risk (i + 1) / INR k)) by (field; lra).
        rewrite sqrt_mult_alt by apply pow2_ge_0.
        replace (sqrt (INR k ^ 2)) with (INR k) by (rewrite <- Rsqr_pow2; symmetry; apply sqrt_Rsqr; lra). ring.
  Qed.

  (** before the last epoch no length is above T/2, but for T = 3 *)
  Lemma at_most_half i : (4 <= T)%nat -> (i < L - 1)%nat -> (2 * doubling T (i + 1) 0 <= T)%nat.
  Proof.
    intros H4 Hi. pose proof (epochs_until_log2 T HT) as [[Hlo _] HL2]. unfold doubling, full_length.
    destruct (Nat.eq_dec (i + 1) L); [lia|]. destruct (Nat.eq_dec (i + 1) 1); [lia|].
    replace (i + 1 - 1)%nat with i by lia. change (2 * 2 ^ i)%nat with (2 ^ S i)%nat.
    assert (2 ^ S i <= 2 ^ (L - 1))%nat by (apply Nat.pow_le_mono_r; lia). lia.
  Qed.
  (** one later epoch: its charge through the logarithm v at the horizon *)
  Lemma epoch_charge v i : (i < L - 1)%nat -> 0 <= v -> 25 * ln (INR N * (INR M * INR (doubling T (i + 1) 0))) + 1 <= v ->
    sqrt (INR k * risk (i + 1)) * (INR M * INR (doubling T (i + 2) 0)) <=
      sqrt v * (SK M (K_arms k) len (i + 2) / sqrt (SK M (K_arms k) len (i + 1))).
  Proof.
    intros Hi Hv Hu. rewrite !(SK_doubling M k T).
    assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    pose proof (samples_ge_one (i + 1) ltac:(lia)) as Hn. unfold risk, printed_risk.
    set (n := INR M * INR (doubling T (i + 1) 0)) in *. set (u := 25 * ln (INR N * n) + 1) in *.
    assert (Hn2 : 0 <= INR M * INR (doubling T (i + 2) 0)) by (apply Rmult_le_pos; apply pos_INR).
    set (n2 := INR M * INR (doubling T (i + 2) 0)) in *.
    replace (INR M * INR k * INR (doubling T (i + 2) 0)) with (INR k * n2) by (unfold n2; ring).
    replace (INR M * INR k * INR (doubling T (i + 1) 0)) with (INR k * n) by (unfold n; ring).
    assert (Hkn : 0 < INR k * n) by (apply Rmult_lt_0_compat; lra).
    replace (sqrt v * (INR k * n2 / sqrt (INR k * n))) with (INR k / sqrt (INR k * n) * sqrt v * n2)
      by (pose proof (sqrt_lt_R0 _ Hkn); field; lra).
    apply Rmult_le_compat_r; [exact Hn2|].
    replace (INR k / sqrt (INR k * n)) with (sqrt (INR k / n)).
    - rewrite <- sqrt_mult_alt by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]). apply sqrt_le_1_alt.
      replace (INR k * (u / n)) with (INR k / n * u) by (field; lra).
      apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|exact Hu].
    - apply sqrt_lem_1.
      + apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
      + apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, sqrt_lt_R0; exact Hkn].
      + replace (INR k / sqrt (INR k * n) * (INR k / sqrt (INR k * n))) with (INR k * INR k / (sqrt (INR k * n) * sqrt (INR k * n)))
          by (pose proof (sqrt_lt_R0 _ Hkn); field; lra).
        rewrite sqrt_sqrt by lra. field. lra.
  Qed.

  (** col:finite, repaired, closed form:  Reg(T) <= 2M + 11 (2 + sqrt 2) sqrt(K M T (25 ln(|F| M T / 2) + 1)),  T >= 3. *)
  Theorem col_finite_repaired_closed :
    repaired_Reg_T <= col_finite_repaired_bound (INR M) (INR k) (INR T) (INR N).
  Proof.
    eapply Rle_trans; [exact col_finite_repaired|]. unfold col_finite_repaired_bound. apply Rplus_le_compat_l.
    pose proof class_ge_two as HN2.
    assert (HMM : 1 <= INR M) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HM).
    assert (HTT : 3 <= INR T) by (replace 3 with (INR 3) by (simpl; ring); apply le_INR, HT).
    assert (Hkk : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR, Hk).
    assert (HNM : 2 <= INR N * INR M) by nra.
    assert (Hin : 3 <= INR N * INR M * INR T / 2) by nra.
    assert (Hlog : 0 <= ln (INR N * INR M * INR T / 2)) by (apply log_ge_zero; lra).
    set (v := 25 * ln (INR N * INR M * INR T / 2) + 1). assert (Hv : 1 <= v) by (unfold v; lra).
    assert (HC : repaired_constant 1 = 11) by (unfold repaired_constant; ring). rewrite HC.
    destruct (le_lt_dec 4 T) as [H4|H4].
    - eapply Rle_trans; [|exact (later_epochs_uncapped M k T HM Hk HT 11 v ltac:(lra) ltac:(lra))].
      apply sum_le. intros i Hi. apply Rmult_le_compat_l; [lra|]. apply epoch_charge; [exact Hi|lra|].
      unfold v. apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|].
      pose proof (samples_ge_one (i + 1) ltac:(lia)) as Hn.
      pose proof (le_INR _ _ (at_most_half i H4 Hi)) as Hh. rewrite mult_INR in Hh. change (INR 2) with 2 in Hh.
      assert (Hle : INR N * (INR M * INR (doubling T (i + 1) 0)) <= INR N * INR M * INR T / 2) by nra.
      destruct Hle as [Hlt|Heq]; [left; apply ln_increasing; nra | rewrite Heq; lra].
    - assert (E3 : T = 3%nat) by lia.
      assert (HLn : (epochs_until T - 1 = 1)%nat) by (rewrite E3; reflexivity). rewrite HLn.
      cbn [sum]. rewrite Rplus_0_l. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
      eapply Rle_trans; [apply (epoch_charge (2 * v) 0 ltac:(lia) ltac:(lra))|].
      + simpl (0 + 1)%nat. rewrite (doubling_first T HT). change (INR 2) with 2.
        assert (Hsq : ln (INR N * (INR M * 2)) <= 2 * ln (INR N * INR M * INR T / 2)).
        { replace (2 * ln (INR N * INR M * INR T / 2)) with (ln ((INR N * INR M * INR T / 2) * (INR N * INR M * INR T / 2)))
            by (rewrite ln_mult by lra; ring).
          replace (INR T) with 3 by (rewrite E3; simpl; ring). set (z := INR N * INR M) in *.
          replace (INR N * (INR M * 2)) with (2 * z) by (unfold z; ring). left. apply ln_increasing; nra. }
        unfold v. lra.
      + rewrite !(SK_doubling M k T). simpl (0 + 2)%nat. simpl (0 + 1)%nat. rewrite (doubling_first T HT).
        assert (D2 : doubling T 2 0 = 1%nat) by (rewrite E3; reflexivity). rewrite D2. change (INR 2) with 2. change (INR 1) with 1.
        assert (Hp : 0 < INR M * INR k) by nra. set (y := INR M * INR k) in *.
        replace (sqrt (2 * v) * (y * 1 / sqrt (y * 2))) with (sqrt (y * v)).
        * assert (Hyv : 0 < y * v) by (apply Rmult_lt_0_compat; lra).
          assert (sqrt (y * v) <= sqrt (y * INR T * v)).
          { apply sqrt_le_1_alt. replace (y * INR T * v) with (INR T * (y * v)) by ring. nra. }
          assert (0 <= sqrt (y * INR T * v)) by apply sqrt_pos. assert (0 <= sqrt 2) by apply sqrt_pos. nra.
        * rewrite (sqrt_mult 2 v), (sqrt_mult y 2), (sqrt_mult y v) by lra.
          assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra). pose proof (sqrt_lt_R0 _ Hp).
          replace (y * 1) with (sqrt y * sqrt y) by (rewrite sqrt_sqrt by lra; ring). field. lra.
  Qed.
End ColFiniteRepaired.
